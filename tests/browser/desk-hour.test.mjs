/** An hour of a student assistant at the desk, with the keyboard and a scanner alone. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import {
  availableItems,
  openLibrary,
  openLoansOf,
  patronAndItem,
  requestedItem,
  servicePointNamed,
} from "./library.mjs";
import { catchPrinting } from "./printing.mjs";

const SERVICE_POINT = "Circ Desk 1";
const UNKNOWN = "no-such-barcode";

let browser;
let page;
let desk;
let library;
let printing;
let reader;
let books;
let wanted;

before(async () => {
  library = await openLibrary();
  reader = await patronAndItem(library);
  wanted = await requestedItem(library, await servicePointNamed(library, SERVICE_POINT));
  books = await lendable(3);
  browser = await openBrowser();
  page = browser.page;
  desk = new Desk(page);
  printing = await catchPrinting(page);
  await forbidMouse();
});

after(() => browser?.close());

/** Items that the reader may borrow. */
async function lendable(count) {
  const found = [];
  for (const itemBarcode of await availableItems(library, 20)) {
    if (itemBarcode === wanted.barcode) continue;
    const body = { itemBarcode, userBarcode: reader.userBarcode };
    const answer = await library.post("/circulation/check-out-by-barcode-dry-run", body);
    if (answer.status === 201) found.push(itemBarcode);
    if (found.length === count) return found;
  }
  assert.fail("too few items");
}

/** Any use of the mouse would be a mistake of this test. */
function forbidMouse() {
  return page.addInitScript(() => {
    document.addEventListener("mousedown", () => {
      throw new Error("the mouse was used");
    });
  });
}

describe("a student assistant's desk hour", () => {
  test("begins with signing in and choosing the desk", async () => {
    await page.goto("/");
    await desk.signIn();
    await desk.chooseServicePoint(SERVICE_POINT);
    await desk.expectFocusInScanField();
  });

  test("a reader with a block borrows three books, one of which is allowed by a decision", async () => {
    const { users } = await library.get("/users", `barcode=="${reader.userBarcode}"`, 1);
    const block = { type: "Manual", userId: users[0].id, desc: "Owes an answer" };
    const made = await library.post("/manualblocks", { ...block, borrowing: true });
    assert.equal(made.status, 201);
    await desk.scanPatron(reader.userBarcode);
    await desk.patron.getByText("Owes an answer").waitFor();
    await desk.scan(books[0]);
    await desk.expectRow(books[0], /blocked from borrowing: Owes an answer/);
    await desk.keyboard.press("Alt+Shift+3");
    await page.getByRole("dialog", { name: "Override" }).waitFor();
    await desk.keyboard.type("The answer came by telephone");
    await desk.keyboard.press("Enter");
    await desk.expectRow(books[0], /Checked out with an override/);
    const { id } = await made.json();
    await library.remove(`/manualblocks/${id}`);
    await desk.scan(books[1], books[2]);
    await desk.expectRow(books[2], /Due /);
    await desk.keyboard.press("Alt+Shift+7");
    const receipt = await printing.next();
    assert.equal(receipt.title, "Due date receipt");
    for (const barcode of books) assert.ok(receipt.slips.join(" ").includes(barcode), barcode);
  });

  test("a reader brings books back while another asks, and a hold comes in", async () => {
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(books[0], UNKNOWN, wanted.barcode);
    await desk.expectRow(books[0], /Returned from the loan/);
    await desk.expectRow(UNKNOWN, /No item has the barcode/);
    await desk.expectRow(wanted.barcode, /Place it on the hold shelf at Circ Desk 1/);
    await desk.expectRow(wanted.barcode, new RegExp(`Awaiting pickup for ${wanted.lastName}`));
    await expectEventually(() => desk.spoken.first().textContent(), /Hold shelf\./);
    await desk.keyboard.press("Alt+Shift+7");
    const slip = await printing.next();
    assert.equal(slip.title, "Hold");
    assert.ok(slip.slips.join(" ").includes(wanted.lastName), "the slip names the reader");
  });

  test("the book drop is emptied: what lay in it came back yesterday", async () => {
    await desk.keyboard.press("Alt+Shift+4");
    await page.getByLabel("Returned at").first().waitFor();
    await desk.keyboard.press("ArrowDown"); // the month before
    await desk.keyboard.press("Enter");
    await desk.expectFocusInScanField();
    await desk.scan(books[1], books[2]);
    await desk.expectRow(books[2], /Returned from the loan/);
    for (const barcode of books) assert.equal(await openLoansOf(library, barcode), 0, barcode);
    await desk.keyboard.press("Alt+Shift+0");
    await expectEventually(() => desk.rows.count().then(String), "0");
  });

  test("ends with signing out from the palette", async () => {
    await desk.keyboard.press("F2");
    await page.getByRole("dialog", { name: "Go to a page" }).waitFor();
    await desk.keyboard.type("sign out");
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    const field = page.getByRole("searchbox", { name: "Go to a page" });
    const signOut = await page.getByRole("menuitem", { name: "Sign out" }).getAttribute("id");
    await expectEventually(() => field.getAttribute("aria-activedescendant"), signOut);
    await desk.keyboard.press("Enter");
    await page.getByLabel("User name").waitFor();
    await expectEventually(async () => String((await browser.context.cookies()).length), "0");
  });
});
