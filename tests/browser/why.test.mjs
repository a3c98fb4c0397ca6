/** "Why is this due on Thursday?": asked at a check-out row, at a refusal, at a loan, at a fee and at a block. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { change, openLibrary } from "./library.mjs";
import { limitedGroup } from "./limits.mjs";
import { openStaff, screen } from "./staff.mjs";
import { block, makePatron, openOnThursdays } from "./thursdays.mjs";

const DESK = "Thursday Desk";
const DAY = 86_400_000;

let page;
let close;
let library;
let thursdays;
let desk;
let reader;
let keyboard;

const dialog = () => page.getByRole("dialog", { name: "Why?" });
const text = () => dialog().textContent();
const isThursday = (date) =>
  new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(new Date(date)) ===
  "Thursday";

/** Chooses another value to try, with the keyboard. */
async function tryAnother(field, option) {
  await keyboard.activate(dialog().getByRole("button", { name: field }));
  await page.getByRole("option", { name: option, exact: true }).waitFor();
  await page.keyboard.type(option);
  await page.keyboard.press("Enter");
}

/** Lends an item at the desk of Thursdays, `days` ago. */
async function lend(itemBarcode, userBarcode, days = 0) {
  const lent = await library.post("/circulation/check-out-by-barcode", {
    ...{ itemBarcode, userBarcode, servicePointId: thursdays.servicePointId },
    loanDate: new Date(Date.now() - days * DAY).toISOString(),
  });
  assert.equal(lent.status, 201, await lent.clone().text());
  return lent.json();
}

before(async () => {
  library = await openLibrary();
  thursdays = await openOnThursdays(library, DESK);
  reader = await makePatron(library, "why-reader", "Thursday");
  const blocked = await makePatron(library, "why-blocked", "Blocked");
  await block(library, blocked.id, "Lost three cards");
  await thursdays.item("why-1");
  await thursdays.item("why-2");
  ({ page, close } = await openStaff("/check-out", { servicePoint: DESK }));
  desk = new Desk(page);
  keyboard = new Keyboard(page);
});

after(async () => {
  await close?.();
  await thursdays?.close();
});

test("a due date at check-out: the rule, the period and the closed day", async () => {
  await desk.task("Check out", "Alt+Shift+1");
  await desk.scanPatron("why-reader");
  await desk.scan("why-1");
  await desk.expectRow("why-1", /Due /);
  await page.keyboard.press("Alt+Shift+W");
  await dialog().waitFor();
  await expectEventually(text, /Two days at Thursday Desk/);
  const told = await text();
  assert.match(told, new RegExp(`Line ${thursdays.line} of the circulation rules chooses`));
  assert.match(told, /t “Loans of Thursday Desk”/);
  assert.match(told, /lends for 2 days/);
  const { loans } = await library.get("/circulation/loans", `userId=="${reader.id}"`, 1);
  // A check-out on a Tuesday is due on a Thursday that is open anyway.
  const unmoved = new Date(Date.now() + 2 * DAY).toISOString();
  assert.match(told, isThursday(unmoved) ? /Open on / : /Closed on .*moved to the next open day/);
  const due = new Date(loans[0].dueDate);
  assert.ok(due > new Date() && due < new Date(Date.now() + 10 * DAY), `${due}`);
  await assertAccessible(page, "the reasons of a due date");
  await screen(page, "why");
});

test("what if the reader were in another patron group", async () => {
  const asked = page.waitForRequest((request) => request.url().includes("patronGroupId="));
  await page.getByRole("button", { name: /Patron group/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "faculty" }).waitFor();
  await page.keyboard.type("faculty");
  await page.keyboard.press("Enter");
  const { usergroups } = await library.get("/groups", 'group=="faculty"', 1);
  assert.equal(new URL((await asked).url()).searchParams.get("patronGroupId"), usergroups[0].id);
  await expectEventually(text, /What if: /);
  await page.getByRole("button", { name: /Patron group/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "As it is" }).click();
});

test("what if it had another loan type", async () => {
  await page.getByRole("button", { name: /Loan type/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Reading room" }).waitFor();
  await page.keyboard.type("Reading");
  await page.keyboard.press("Enter");
  await expectEventually(text, /What if: /);
  await expectEventually(text, /In the reading room only/);
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await desk.expectFocusInScanField();
});

test("a refusal at the desk: the block behind it", async () => {
  await page.keyboard.press("Alt+Shift+0");
  await desk.scanPatron("why-blocked");
  await desk.scan("why-2");
  await desk.expectRow("why-2", /Refused/);
  await desk.row("why-2").getByRole("button", { name: "Why? why-2" }).focus();
  await page.keyboard.press("Enter");
  await expectEventually(text, /Staff blocked the patron: Lost three cards/);
  assert.match(await text(), /Refused: Patron blocked from borrowing/);
  await assertAccessible(page, "the reasons of a refusal");
  await page.keyboard.press("Escape");
});

test("a loan of the patron leads to the line of the rules and to the policy", async () => {
  await page.goto(`/patrons/${reader.id}`);
  await page.getByRole("tab", { name: "Loans", exact: true }).click();
  const loan = page.getByRole("row").filter({ hasText: "why-1" });
  await loan.getByRole("button", { name: /^Why\?/ }).click();
  await expectEventually(text, /The check-out set this date/);
  await dialog()
    .getByRole("link", { name: `Open line ${thursdays.line} of the rules` })
    .click();
  const rules = page.getByRole("textbox", { name: "Circulation rules" });
  await rules.waitFor();
  const selected = () =>
    rules.evaluate(({ value, selectionStart, selectionEnd }) =>
      value.slice(selectionStart, selectionEnd),
    );
  await expectEventually(selected, /^t Loans-of-Thursday-Desk: l Two-days-at-Thursday-Desk/);
});

test("an overdue fine: how late, the rate and the policy", async () => {
  const { servicePointId } = thursdays;
  await thursdays.item("why-3");
  await lend("why-3", "why-reader", 40);
  const returned = await library.post("/circulation/check-in-by-barcode", {
    ...{ itemBarcode: "why-3", servicePointId, checkInDate: new Date().toISOString() },
  });
  assert.equal(returned.status, 200);
  await page.goto(`/patrons/${reader.id}`);
  await page.getByRole("tab", { name: "Fees", exact: true }).click();
  await page
    .getByRole("row")
    .filter({ hasText: "Overdue fine" })
    .getByRole("button", { name: "Why? Overdue fine" })
    .click();
  await expectEventually(text, /The overdue fine policy is 25 cents a day/);
  const told = await text();
  assert.match(told, /of the opening hours of Circ Desk 1/);
  assert.match(told, /\$0\.25 for each day begun: \d+ × \$0\.25 = /);
  await assertAccessible(page, "the reasons of a fine");
  await screen(page, "why-fine");
});

test("a fine in the row of a return", async () => {
  await thursdays.item("why-4");
  await lend("why-4", "why-reader", 40);
  await page.goto("/check-in");
  await desk.expectFocusInScanField();
  await desk.scan("why-4");
  await desk.expectRow("why-4", /Charged: Overdue fine/);
  await desk.keyboard.press("Alt+Shift+W");
  await expectEventually(text, /The overdue fine policy is 25 cents a day/);
  await desk.keyboard.press("Escape");
  await desk.expectFocusInScanField();
});

test("a due date at the item's page and at a request for it", async () => {
  const { servicePointId: pickupServicePointId } = thursdays;
  const { id: itemId, holdingsRecordId } = await thursdays.item("why-5");
  const lent = await library.post("/circulation/check-out-by-barcode", {
    ...{ itemBarcode: "why-5", userBarcode: "why-reader", servicePointId: pickupServicePointId },
  });
  assert.equal(lent.status, 201, await lent.text());
  const { id: requesterId } = await makePatron(library, "why-waiting", "Waiting");
  const { instanceId } = await library.read(`/holdings-storage/holdings/${holdingsRecordId}`);
  const placed = await library.post("/circulation/requests", {
    ...{ requestType: "Hold", requestLevel: "Item", fulfillmentPreference: "Hold Shelf" },
    ...{ itemId, holdingsRecordId, instanceId, requesterId, pickupServicePointId },
    requestDate: new Date().toISOString(),
  });
  assert.equal(placed.status, 201);
  const request = await placed.json();
  for (const path of [`/catalogue/items/${itemId}`, `/requests/${request.id}`]) {
    await page.goto(path);
    await keyboard.activate(page.getByRole("button", { name: /^Why\?/ }));
    await expectEventually(text, /Two days at Thursday Desk/);
    await assertAccessible(page, `the reasons at ${path}`);
    await keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
  }
});

test("an automated block at the desk: its limit, what ends it, and another group", async () => {
  const patronGroup = await limitedGroup(library, "Why readers", 1);
  const { id } = await makePatron(library, "why-limited", "Limited");
  await change(library, `/users/${id}`, { patronGroup });
  await thursdays.item("why-6");
  await lend("why-6", "why-limited");
  await page.goto("/check-out");
  await desk.expectFocusInScanField();
  await desk.scanPatron("why-limited");
  await keyboard.activate(desk.patron.getByRole("button", { name: "Why? Too many items" }));
  await expectEventually(text, /the limit of the patron group is 1, the patron has 1\./);
  const told = await text();
  assert.match(told, /Stops borrowing/);
  assert.doesNotMatch(told, /requests/, "requests are stopped above the limit only");
  assert.match(told, /When 1 item comes back, it no longer stops borrowing\./);
  assert.doesNotMatch(told, /Material type/, "no item is asked about");
  await assertAccessible(page, "the reasons of a block");
  await screen(page, "why-block");
  await tryAnother(/Patron group/, "faculty");
  await expectEventually(text, /What if: Stops nothing/);
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await desk.expectFocusInScanField();

  await page.goto(`/patrons/${id}?tab=blocks`);
  const asked = page.getByRole("list", { name: "Automated blocks" });
  for (const place of [page.getByRole("alert"), asked]) {
    await keyboard.activate(place.getByRole("button", { name: "Why? Too many items" }));
    await expectEventually(text, /When 1 item comes back/);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
  }
});

test("a refused return: who claims it, and each end of the claim", async () => {
  await thursdays.item("why-7");
  const { id: loan } = await lend("why-7", "why-reader", 40);
  const claimed = await library.post(`/circulation/loans/${loan}/claim-item-returned`, {
    ...{ itemClaimedReturnedDateTime: new Date().toISOString(), comment: "In the box" },
  });
  assert.equal(claimed.status, 204);
  await page.goto("/check-in");
  await desk.expectFocusInScanField();
  await desk.scan("why-7", "why-nothing");
  await desk.expectRow("why-7", /Refused/);
  await desk.expectRow("why-nothing", /Refused/);
  assert.equal(
    await desk
      .row("why-nothing")
      .getByRole("button", { name: /^Why\?/ })
      .count(),
    0,
  );
  await keyboard.press("Alt+Shift+W");
  await expectEventually(text, /Thursday, Tova says that it came back on/);
  const told = await text();
  assert.match(told, /noted the claim/);
  assert.match(told, /Comment: In the box/);
  assert.doesNotMatch(told, /Patron group/, "no fact of the rules decides it");
  await assertAccessible(page, "the reasons of a refused return");
  await screen(page, "why-refused-return");
  await tryAnother(/End of the claim/, "Found by library");
  await expectEventually(text, /What if: Nothing refuses it.*the library found the item itself/);
  await tryAnother(/End of the claim/, "Returned by patron");
  await expectEventually(text, /\$0\.25 for each day begun/);
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await desk.expectFocusInScanField();
});

test("each of several fees of a return", async () => {
  await thursdays.item("why-8");
  const { id: loanId, userId, itemId } = await lend("why-8", "why-reader", 40);
  const type = "Lost item processing fee";
  const { feefines } = await library.get("/feefines", `feeFineType=="${type}"`, 1);
  const { owners } = await library.get("/owners", "cql.allRecords=1", 1);
  const charged = await library.post("/accounts", {
    ...{ userId, itemId, loanId, amount: 5, remaining: 5, ownerId: owners[0].id },
    ...{ feeFineId: feefines[0].id, feeFineType: type, id: crypto.randomUUID() },
    ...{ status: { name: "Open" }, paymentStatus: { name: "Outstanding" } },
  });
  assert.equal(charged.status, 201, await charged.text());
  // A return of today charges one fee at most; its answer has a list.
  await page.route("**/circulation/check-in-by-barcode", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.desk.fees.push({ type, amount: "5.00" });
    await route.fulfill({ response, json: answer });
  });
  await desk.scan("why-8");
  await desk.expectRow("why-8", /Charged: Lost item processing fee/);
  await page.unroute("**/circulation/check-in-by-barcode");
  await keyboard.press("Alt+Shift+W");
  await expectEventually(text, /The overdue fine policy is 25 cents a day/);
  await tryAnother(/Which fee\?/, type);
  await expectEventually(text, /A lost item charged it/);
  await assertAccessible(page, "the reasons of several fees");
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await desk.expectFocusInScanField();
});
