import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible, openBrowser } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { availableItems, openLibrary, openLoansOf, patronAndItem } from "./library.mjs";
import { loseAnswer } from "./lostAnswer.mjs";

const SERVICE_POINT = "Circ Desk 1";
const UNKNOWN = "no-such-barcode";

let browser;
let desk;
let library;

before(async () => {
  library = await openLibrary();
  browser = await openBrowser();
  desk = new Desk(browser.page);
});

after(() => browser?.close());

describe("signing in", () => {
  test("a wrong password is refused with a text", async () => {
    await browser.page.goto("/");
    await desk.signIn("not the password");
    const words = "The user name or the password is wrong, or the account is locked.";
    await desk.alarm.filter({ hasText: words }).waitFor();
    await assertAccessible(browser.page, "the sign-in page");
  });

  test("leads to the service points and then to the desk", async () => {
    await browser.page.goto("/");
    await desk.signIn();
    await browser.page.getByRole("option", { name: SERVICE_POINT }).waitFor();
    await assertAccessible(browser.page, "the service points");
    await desk.chooseServicePoint(SERVICE_POINT);
    await desk.expectFocusInScanField();
  });
});

describe("at the desk, by keyboard only", () => {
  test("an item is checked out and in, each scan answered in place", async () => {
    const { itemBarcode, userBarcode, lastName } = await patronAndItem(library);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(userBarcode);
    await expectEventually(
      () => desk.patron.textContent(),
      new RegExp(`${lastName}.*Open loans`, "s"),
    );
    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /Due /);
    await expectEventually(() => desk.spoken.textContent(), /Due /);
    await desk.scan(UNKNOWN);
    await desk.expectRow(UNKNOWN, new RegExp(`No item has the barcode ${UNKNOWN}\\.`));
    await expectEventually(
      async () => (await desk.alarm.allTextContents()).join(" "),
      new RegExp(`Refused: ${UNKNOWN}`),
    );
    await desk.expectFocusInScanField();
    assert.equal(await openLoansOf(library, itemBarcode), 1);
    await assertAccessible(browser.page, "check-out");

    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /already checked out.*already has an open loan/s);

    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(itemBarcode, UNKNOWN);
    await desk.expectRow(itemBarcode, /Returned from/);
    await desk.expectRow(itemBarcode, /Available at|In transit to|Awaiting pickup for/);
    await desk.expectRow(UNKNOWN, /No item has the barcode/);
    await desk.expectFocusInScanField();
    assert.equal(await openLoansOf(library, itemBarcode), 0);
    await assertAccessible(browser.page, "check-in");
  });

  test("the scans of both modes are one list, which stays until the session ends", async () => {
    await desk.task("Check out", "Alt+Shift+1");
    assert.equal(await desk.rows.count(), 5);
    await desk.keyboard.press("Alt+Shift+6");
    await browser.page.getByRole("heading", { name: "Slips", level: 1 }).waitFor();
    await desk.task("Check out", "Alt+Shift+1");
    assert.equal(await desk.rows.count(), 5);
    await desk.keyboard.press("Alt+Shift+0");
    await browser.page.getByLabel("Patron barcode").waitFor();
    assert.equal(await desk.rows.count(), 0);
    await desk.expectFocusInScanField();
  });

  test("fifty scans made at once are all answered in order", async () => {
    const barcodes = await availableItems(library, 50);
    const { userBarcode } = await patronAndItem(library);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scan(userBarcode, ...barcodes);
    const states = await desk.expectAllAnswered(50);
    assert.ok(states.includes("answered"), "at least one check-out succeeded");
    const shown = await desk.allRows();
    const order = shown.toReversed().map(({ text }, n) => text.includes(barcodes[n]));
    assert.deepEqual(order, Array(50).fill(true));
    await desk.keyboard.press("Alt+Shift+0");

    await desk.task("Check in", "Alt+Shift+2");
    await desk.keyboard.press("Alt+Shift+0");
    await desk.scan(...barcodes);
    const returned = await desk.expectAllAnswered(50);
    assert.deepEqual(returned, Array(50).fill("answered"));
    await desk.keyboard.press("Alt+Shift+0");
    await desk.expectFocusInScanField();
  });
});

describe("when something goes wrong", () => {
  let pair;

  before(async () => {
    pair = await patronAndItem(library);
    await desk.task("Check in", "Alt+Shift+2");
  });

  test("an expired session keeps the scans and resumes after signing in again", async () => {
    const route = "**/folio/circulation/check-in-by-barcode";
    await browser.page.route(route, (call) => call.fulfill({ status: 401, body: "Invalid token" }));
    await desk.scan(pair.itemBarcode);
    await desk.alarm.filter({ hasText: "Your session has expired" }).waitFor();
    await desk.expectFocusInScanField();
    await desk.scan(UNKNOWN);
    await desk.expectRow(UNKNOWN, /Waiting/);
    await assertAccessible(browser.page, "an expired session");
    await browser.page.unroute(route);

    await desk.keyboard.press("Alt+Shift+5");
    await browser.page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await assertAccessible(browser.page, "signing in again");
    await desk.keyboard.type(process.env.CARREL_PASSWORD);
    await desk.keyboard.press("Enter");
    await desk.expectRow(pair.itemBarcode, /Available at|In transit to/);
    await desk.expectRow(UNKNOWN, /No item has the barcode/);
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("a lost connection keeps the scans and sends each of them once", async () => {
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(pair.userBarcode);
    await browser.context.setOffline(true);
    await desk.scan(pair.itemBarcode, UNKNOWN);
    await desk.alarm.filter({ hasText: "The server does not answer. 2 scans wait" }).waitFor();
    await browser.context.setOffline(false);
    await desk.expectRow(pair.itemBarcode, /Due /);
    await desk.expectRow(UNKNOWN, /No item has the barcode/);
    assert.equal(await openLoansOf(library, pair.itemBarcode), 1);
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("a check-out whose answer was lost is not repeated", async () => {
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Returned from/);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(pair.userBarcode);
    await loseAnswer(browser.page, "/circulation/check-out-by-barcode");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Due /);
    assert.equal(await openLoansOf(library, pair.itemBarcode), 1);
    await desk.keyboard.press("Alt+Shift+0");
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Returned from/);
  });
});

test("the API page shows the server's document", async () => {
  await browser.page.goto("/api");
  await browser.page.getByRole("heading", { name: "API", level: 1 }).waitFor();
  await browser.page.getByPlaceholder("Filter by tag or path").waitFor();
});
