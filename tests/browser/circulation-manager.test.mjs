/**
 * A circulation manager's morning, by keyboard alone: overdue loans, a lost item, its fees, a request, and a policy that is
 * changed and seen to act. "Why?" answers each question on the way.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary } from "./library.mjs";
import { openStaff } from "./staff.mjs";
import { makePatron, openOnThursdays } from "./thursdays.mjs";

const DESK = "Morning Desk";
const DAY = 86_400_000;

let page;
let keyboard;
let close;
let library;
let morning;
let item;

const dialog = () => page.getByRole("dialog");
const text = () => dialog().textContent();
const row = (name) => page.getByRole("row").filter({ hasText: name });
const button = (name) => page.getByRole("button", { name, exact: true });

async function openPatron() {
  await keyboard.press("Alt+Shift+P");
  const search = page.getByRole("searchbox", { name: "Search patrons" });
  await keyboard.fill(search, "manager-1");
  await keyboard.press("Enter");
  await expectEventually(() => page.getByText(/^\d+ patrons?$/).textContent(), "1 patron");
  await keyboard.toRow(row("manager-1"));
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Morning" }).waitFor();
}

/** Opens "Why?" of a row of a table in focus. */
async function askWhy(name) {
  await keyboard.toRow(row(name));
  await keyboard.activate(row(name).getByRole("button", { name: /^Why\?/ }), "ArrowRight");
  await dialog().waitFor();
}

async function leaveDialog() {
  await keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
}

before(async () => {
  library = await openLibrary();
  morning = await openOnThursdays(library, DESK);
  await makePatron(library, "manager-1", "Morning");
  const waiting = await makePatron(library, "manager-2", "Waiting");
  item = await morning.item("manager-item");
  const { servicePointId } = morning;
  const lent = await library.post("/circulation/check-out-by-barcode", {
    ...{ itemBarcode: "manager-item", userBarcode: "manager-1", servicePointId },
    loanDate: new Date(Date.now() - 30 * DAY).toISOString(),
  });
  assert.equal(lent.status, 201, await lent.text());
  const { instanceId } = await library.read(`/holdings-storage/holdings/${item.holdingsRecordId}`);
  const placed = await library.post("/circulation/requests", {
    ...{ requestType: "Hold", requestLevel: "Item", fulfillmentPreference: "Hold Shelf" },
    ...{ itemId: item.id, holdingsRecordId: item.holdingsRecordId, instanceId },
    ...{ requesterId: waiting.id, pickupServicePointId: servicePointId },
    requestDate: new Date().toISOString(),
  });
  assert.equal(placed.status, 201, await placed.text());
  ({ page, close } = await openStaff("/check-out", { servicePoint: DESK }));
  keyboard = new Keyboard(page);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

after(async () => {
  await close?.();
  await morning?.close();
});

test("an overdue loan is found, and why it was due", async () => {
  await openPatron();
  await keyboard.openTab("Loans");
  await row("manager-item").filter({ hasText: "Overdue" }).waitFor();
  await askWhy("manager-item");
  await expectEventually(text, /The check-out set this date/);
  assert.match(await text(), /chooses Two days at Morning Desk/);
  await leaveDialog();
});

test("its renewal is refused, and why", async () => {
  await keyboard.toRow(row("manager-item"));
  await keyboard.press("Space");
  await page.getByText("1 loan selected").waitFor();
  await keyboard.activate(button("Renew"), "Shift+Tab");
  const changes = page.getByRole("list", { name: "Changes, newest first" }).locator("> li");
  await changes.filter({ hasText: "Refused" }).waitFor();
  await keyboard.activate(changes.getByRole("button", { name: /^Why\?/ }));
  await expectEventually(text, /active, pending hold request/);
  assert.match(await text(), /That is what Two days at Morning Desk says/);
  await leaveDialog();
});

test("it is declared lost, and the fees are charged, and why", async () => {
  await keyboard.toRow(row("manager-item"));
  await keyboard.press("Space");
  await keyboard.activate(button("More"), "Shift+Tab");
  await keyboard.activate(page.getByRole("menuitem", { name: "Declare lost…" }), "ArrowDown");
  await dialog().getByLabel("Comment").waitFor();
  await keyboard.type("Not on any shelf");
  await keyboard.activate(dialog().getByRole("button", { name: "Declare lost" }));
  await page.getByText("Declared lost", { exact: true }).first().waitFor();
  await keyboard.openTab("Fees");
  await row("Lost item").first().waitFor();
  await askWhy("Lost item processing fee");
  await expectEventually(text, /A lost item charged it, by Lost after six weeks/);
  await assertAccessible(page, "why a fee of a lost item");
  await leaveDialog();
});

test("the request for it is looked up", async () => {
  await keyboard.press("Alt+Shift+R");
  await keyboard.fill(page.getByRole("searchbox", { name: "Search requests" }), "manager-item");
  await keyboard.press("Enter");
  await expectEventually(() => page.getByText(/^\d+ requests?$/).textContent(), "1 request");
  await keyboard.toRow(row("Waiting"));
  await keyboard.press("Enter");
  await button("Cancel the request…").waitFor();
});

test("the policy is changed, and the next loan is due by it", async () => {
  await keyboard.press("Alt+Shift+S");
  await keyboard.activate(page.getByRole("link", { name: "Loan policies" }));
  await page.getByRole("heading", { level: 1, name: "Loan policies" }).waitFor();
  await keyboard.toRow(row(morning.policy.name));
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: morning.policy.name }).waitFor();
  await keyboard.activate(page.getByRole("link", { name: "Edit", exact: true }));
  const period = page.getByRole("group", { name: "Loan period", exact: true });
  await keyboard.fill(period.getByRole("textbox", { name: "Number" }), "20");
  await keyboard.activate(button("Save"));
  await page.getByRole("heading", { level: 1, name: morning.policy.name }).waitFor();

  await morning.item("manager-next");
  const desk = new Desk(page);
  await desk.task("Check out", "Alt+Shift+1");
  await desk.scanPatron("manager-1");
  await desk.scan("manager-next");
  await desk.expectRow("manager-next", /Refused/);
  await keyboard.press("Alt+Shift+W");
  await expectEventually(text, /the limit of the patron group is [\d.]+, the patron has [\d.]+/);
  await leaveDialog();
  await desk.scan("manager-2", "manager-next");
  await desk.expectRow("manager-next", /Due /);
  await keyboard.press("Alt+Shift+W");
  await expectEventually(text, /lends for 20 days/);
  await leaveDialog();
});

test("the loan from before keeps its date, and says that the policy gives another now", async () => {
  await openPatron();
  await keyboard.openTab("Loans");
  await askWhy("manager-item");
  await expectEventually(text, /of today give .*; something was changed since/);
  await leaveDialog();
});
