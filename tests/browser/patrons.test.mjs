/** A circulation manager at a patron's page: finds the patron, renews in bulk, takes a payment, blocks, and edits. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import {
  availableItems,
  change,
  openLibrary,
  openLoansOf,
  patronAndItem,
  servicePointNamed,
} from "./library.mjs";
import { loseAnswer, saveTwice } from "./lostAnswer.mjs";
import { openStaff, screen } from "./staff.mjs";

const DESK = "Circ Desk 1";

let page;
let close;
let library;
let user;
let items;
let keyboard;

const button = (name) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const row = (name) => page.getByRole("row").filter({ hasText: name });

/** Lends items to the patron until this many are lent. */
async function lend(count) {
  const servicePointId = await servicePointNamed(library, DESK);
  const lent = [];
  for (const itemBarcode of await availableItems(library, 30)) {
    const answer = await library.post("/circulation/check-out-by-barcode", {
      ...{ itemBarcode, userBarcode: user.barcode, servicePointId },
    });
    if (answer.status === 201) lent.push(itemBarcode);
    if (lent.length === count) return lent;
  }
  throw new Error("too few items can be lent");
}

before(async () => {
  library = await openLibrary();
  const { userBarcode } = await patronAndItem(library);
  user = (await library.get("/users", `barcode=="${userBarcode}"`, 1)).users[0];
  items = await lend(3);
  ({ page, close } = await openStaff("/patrons", { servicePoint: DESK }));
  keyboard = new Keyboard(page);
});

after(() => close?.());

test("a patron is found by typing and opened by keyboard", async () => {
  const search = page.getByRole("searchbox", { name: "Search patrons" });
  await search.waitFor();
  await page.getByRole("row").nth(2).waitFor();
  await assertAccessible(page, "the patrons");
  await search.fill(`${user.personal.lastName}, ${user.personal.firstName.slice(0, 2)}`);
  await page.keyboard.press("Enter");
  await row(user.barcode).waitFor();
  await search.fill(user.barcode);
  await page.keyboard.press("Enter");
  await expectEventually(() => page.getByText(/^\d+ patrons?$/).textContent(), "1 patron");
  await screen(page, "patrons");
  await row(user.barcode).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: user.personal.lastName }).waitFor();
  await assertAccessible(page, "a patron");
  await screen(page, "patron");
});

describe("loans", () => {
  test("are renewed together, each with its outcome, by keyboard alone", async () => {
    await keyboard.openTab("Loans");
    for (const barcode of items) {
      await keyboard.toRow(row(barcode));
      await keyboard.press(" ");
    }
    await page.getByText("3 loans selected").waitFor();
    await assertAccessible(page, "the loans of a patron");
    await keyboard.activate(button("Renew"), "Shift+Tab");
    const changes = page.getByRole("list", { name: "Changes, newest first" }).locator("> li");
    const settled = async () => {
      const states = await changes.evaluateAll((rows) => rows.map((row) => row.dataset.state));
      return states.filter((state) => state === "answered" || state === "refused").length;
    };
    await expectEventually(async () => String(await settled()), "3");
    for (const barcode of items) {
      const outcome = await changes.filter({ hasText: barcode }).textContent();
      assert.match(outcome, /Renewed, due|Refused:/);
    }
    await screen(page, "patron-loans");
  });

  test("get another due date, and one is claimed returned, by keyboard alone", async () => {
    await keyboard.activate(button("Clear the list"));
    await keyboard.toRow(row(items[0]));
    await keyboard.press(" ");
    await keyboard.activate(button("Change due date…"), "Shift+Tab");
    await keyboard.to(dialog().getByRole("spinbutton", { name: /^year/ }));
    await keyboard.type("2030");
    await keyboard.activate(dialog().getByRole("button", { name: "Change due date" }));
    await row(items[0]).filter({ hasText: "2030" }).waitFor();

    await keyboard.toRow(row(items[1]));
    await keyboard.press(" ");
    await keyboard.activate(button("More"), "Shift+Tab");
    await keyboard.activate(page.getByRole("menuitem", { name: "Claim returned…" }), "ArrowDown");
    await keyboard.fill(dialog().getByLabel("Comment"), "Says it is back");
    await keyboard.activate(dialog().getByRole("button", { name: "Claim returned" }));
    await row(items[1]).filter({ hasText: "Claimed returned" }).waitFor();
  });

  test("one that was claimed returned is declared missing, by keyboard alone", async () => {
    await keyboard.toRow(row(items[1]));
    await keyboard.press(" ");
    await keyboard.activate(button("More"), "Shift+Tab");
    await keyboard.activate(page.getByRole("menuitem", { name: "Declare missing…" }), "ArrowDown");
    await keyboard.fill(dialog().getByLabel("Comment"), "On no shelf");
    await keyboard.activate(dialog().getByRole("button", { name: "Declare missing" }));
    await dialog().waitFor({ state: "hidden" });
    const status = async () => {
      const found = await library.get("/inventory/items", `barcode=="${items[1]}"`, 1);
      return found.items[0].status.name;
    };
    await expectEventually(status, "Missing");
    await expectEventually(async () => String(await openLoansOf(library, items[1])), "0");
  });

  test("a refused renewal is overridden with a reason, by keyboard alone", async () => {
    const block = await library.post("/manualblocks", {
      ...{ type: "Manual", desc: "Owes an answer", userId: user.id, renewals: true },
    });
    const { id: blockId } = await block.json();
    const [item] = (await library.get("/inventory/items", `barcode=="${items[2]}"`, 1)).items;
    const open = `itemId=="${item.id}" and status.name=="Open"`;
    const loan = async () => (await library.get("/circulation/loans", open, 1)).loans[0];
    const { renewalCount = 0 } = await loan();
    await keyboard.activate(button("Clear the list"));
    await keyboard.toRow(row(items[2]));
    await keyboard.press(" ");
    await keyboard.activate(button("Renew"), "Shift+Tab");
    const changes = page.getByRole("list", { name: "Changes, newest first" }).locator("> li");
    await changes.first().filter({ hasText: "Owes an answer" }).waitFor();
    assert.equal((await loan()).renewalCount ?? 0, renewalCount);
    await keyboard.activate(changes.first().getByRole("button", { name: /^Override for/ }));
    await assertAccessible(page, "overriding a refused renewal");
    await keyboard.fill(dialog().getByLabel("Comment"), "Answered by telephone");
    await keyboard.activate(dialog().getByRole("button", { name: "Renew" }));
    await changes
      .first()
      .filter({ hasText: /Renewed, due/ })
      .waitFor();
    const renewed = await loan();
    assert.equal(renewed.action, "renewedThroughOverride");
    assert.equal(renewed.actionComment, "Answered by telephone");
    assert.equal(renewed.renewalCount, renewalCount + 1);
    await library.remove(`/manualblocks/${blockId}`);
  });
});

describe("fees", () => {
  test("are charged, paid in part, and refunded, by keyboard alone", async () => {
    const amount = dialog().getByLabel(/^Amount in/);
    const confirm = (name) => dialog().getByRole("button", { name, exact: true });
    await keyboard.openTab("Fees");
    await page.getByText(/^Owed: /).waitFor();
    await assertAccessible(page, "the fees of a patron");
    await keyboard.activate(button("Charge a fee…"));
    await keyboard.activate(page.getByRole("button", { name: /Fee type/ }));
    await page.getByRole("option").first().waitFor();
    await keyboard.press("ArrowDown", "Enter");
    await keyboard.fill(amount, "12.50");
    await assertAccessible(page, "charging a fee");
    await keyboard.activate(confirm("Charge"));
    await page.getByText(/^Owed: .*12\.50/).waitFor();

    await keyboard.toRow(row(/12\.50/).last());
    await keyboard.press(" ");
    await keyboard.activate(button("Pay…"), "Shift+Tab");
    await keyboard.fill(amount, "99");
    await keyboard.activate(confirm("Pay"));
    await dialog()
      .getByText(/At most .*12\.50/)
      .first()
      .waitFor();
    await keyboard.fill(amount, "2.40");
    await keyboard.choose(page.getByRole("button", { name: /Payment method/ }), "Cash");
    await keyboard.activate(confirm("Pay"));
    await page.getByText(/^Owed: .*10\.10/).waitFor();
    const { accounts } = await library.get("/accounts", `userId=="${user.id}"`, 10);
    assert.deepEqual(
      accounts.map(({ remaining, paymentStatus }) => [remaining, paymentStatus.name]),
      [[10.1, "Paid partially"]],
    );
    await screen(page, "patron-fees");
    await keyboard.toRow(row(/10\.10/).last());
    await keyboard.press(" ");
    await keyboard.activate(button("Refund…"), "Shift+Tab");
    await keyboard.fill(amount, "2.40");
    await keyboard.choose(page.getByRole("button", { name: /Reason for the refund/ }), "Overpaid");
    await keyboard.activate(confirm("Refund"));
    const statuses = async () => {
      const { accounts } = await library.get("/accounts", `userId=="${user.id}"`, 10);
      return accounts.map(({ paymentStatus }) => paymentStatus.name).join();
    };
    await expectEventually(statuses, /^Refunded/);
  });

  test("are waived with a reason, by keyboard alone", async () => {
    const { accounts: owed } = await library.get("/accounts", `userId=="${user.id}"`, 10);
    const amount = owed[0].remaining.toFixed(2);
    await keyboard.to(row(new RegExp(amount.replace(".", "\\."))).last());
    await keyboard.press(" ");
    await keyboard.activate(button("Waive…"));
    await keyboard.fill(dialog().getByLabel(/^Amount in/), amount);
    await keyboard.choose(page.getByRole("button", { name: /Reason for waiving/ }), "Illness");
    await keyboard.activate(dialog().getByRole("button", { name: "Waive", exact: true }));
    const settled = async () => {
      const { accounts } = await library.get("/accounts", `userId=="${user.id}"`, 10);
      return accounts.map(({ paymentStatus }) => paymentStatus.name).join();
    };
    await expectEventually(settled, "Waived fully");
  });
});

test("a block is added, shown at once, and deleted, by keyboard alone", async () => {
  await keyboard.openTab("Blocks");
  await keyboard.activate(button("Add a block…"));
  await keyboard.fill(dialog().getByLabel("Description"), "Card lost");
  await keyboard.activate(dialog().getByRole("button", { name: "Save" }));
  await page.getByRole("alert").filter({ hasText: "Card lost" }).waitFor();
  await assertAccessible(page, "the blocks of a patron");
  await keyboard.activate(button("Delete the block Card lost"));
  await keyboard.activate(dialog().getByRole("button", { name: "Delete the block" }));
  await page.getByText("No blocks by staff.").waitFor();
});

test("a note is written, by keyboard alone", async () => {
  await keyboard.openTab("Notes");
  await keyboard.activate(button("Add a note…"));
  await keyboard.fill(dialog().getByLabel("Title"), "Prefers large print");
  await keyboard.fill(dialog().getByLabel("Text"), "5 < 6");
  await keyboard.activate(dialog().getByRole("button", { name: "Save" }));
  await page.getByRole("listitem").filter({ hasText: "5 < 6" }).waitFor();
  await assertAccessible(page, "the notes of a patron");
});

describe("what is saved again after its answer was lost is made only once:", () => {
  const save = () => keyboard.activate(dialog().getByRole("button", { name: "Save" }));

  test("a block", async () => {
    await keyboard.openTab("Blocks");
    await keyboard.activate(button("Add a block…"));
    await keyboard.fill(dialog().getByLabel("Description"), "Card found");
    await loseAnswer(page, "/manualblocks");
    await saveTwice(page, save);
    await dialog().waitFor({ state: "hidden" });
    const { totalRecords } = await library.get("/manualblocks", 'desc=="Card found"', 0);
    assert.equal(totalRecords, 1);
    await keyboard.activate(button("Delete the block Card found"));
    await keyboard.activate(dialog().getByRole("button", { name: "Delete the block" }));
    await page.getByText("No blocks by staff.").waitFor();
  });

  test("a note, with what was typed meanwhile", async () => {
    await keyboard.openTab("Notes");
    await keyboard.activate(button("Add a note…"));
    await keyboard.fill(dialog().getByLabel("Title"), "Speaks Sami");
    await loseAnswer(page, "/notes");
    await save();
    await dialog().getByText("The server does not answer").waitFor();
    await keyboard.fill(dialog().getByLabel("Title"), "Speaks Northern Sami");
    await save();
    await dialog().waitFor({ state: "hidden" });
    const notes = page.getByRole("list", { name: "Notes" }).getByRole("listitem");
    await notes.filter({ hasText: "Speaks Northern Sami" }).waitFor();
    assert.equal(await notes.filter({ hasText: "Sami" }).count(), 1);
  });

  test("a proxy", async () => {
    const query = `barcode="" not id=="${user.id}"`;
    const { barcode, personal } = (await library.get("/users", query, 1)).users[0];
    await keyboard.openTab("Details");
    await keyboard.activate(button("Add a proxy…"));
    const { lastName, firstName } = personal;
    const other = dialog().getByRole("combobox", { name: "Proxy" });
    await keyboard.find(other, `${lastName}, ${firstName} · ${barcode}`);
    await loseAnswer(page, "/proxiesfor");
    await saveTwice(page, save);
    await dialog().waitFor({ state: "hidden" });
    const found = await library.get("/proxiesfor", `userId=="${user.id}"`, 10);
    assert.equal(found.totalRecords, 1);
  });

  test("a patron", async () => {
    const url = page.url();
    await page.goto("/patrons/new");
    await keyboard.fill(page.getByLabel("Last name"), "Twiceborn");
    await keyboard.choose(page.getByRole("button", { name: /Patron group/ }), "undergrad");
    await loseAnswer(page, "/users");
    await saveTwice(page, () => keyboard.activate(button("Save")));
    await page.getByRole("heading", { level: 1, name: "Twiceborn" }).waitFor();
    const { totalRecords } = await library.get("/users", "personal.lastName==Twiceborn", 0);
    assert.equal(totalRecords, 1);
    await page.goto(url);
  });
});

describe("two people who edit", () => {
  const save = () => keyboard.activate(dialog().getByRole("button", { name: "Save" }));
  const notice = (text) => dialog().getByRole("alert").filter({ hasText: text });

  test("one block keep what each of them changed", async () => {
    const body = { userId: user.id, type: "Manual", desc: "Owes a map", borrowing: true };
    const { id } = await (await library.post("/manualblocks", body)).json();
    await page.reload();
    await keyboard.openTab("Blocks");
    await keyboard.activate(button("Change the block Owes a map"));
    await keyboard.fill(dialog().getByLabel("Description"), "Owes two maps");
    await change(library, `/manualblocks/${id}`, { patronMessage: "Please bring it", code: "M" });
    await save();
    await notice("Their changes are in the form now: Message to the patron.").waitFor();
    await save();
    await dialog().waitFor({ state: "hidden" });
    const { desc, patronMessage, code } = await library.read(`/manualblocks/${id}`);
    assert.deepEqual([desc, patronMessage, code], ["Owes two maps", "Please bring it", "M"]);
    await library.remove(`/manualblocks/${id}`);
  });

  test("one note decide where both changed the same", async () => {
    const { noteTypes } = await library.read("/note-types?limit=1");
    const links = [{ id: user.id, type: "user" }];
    const body = { typeId: noteTypes[0].id, title: "Moves soon", domain: "users", links };
    const { id } = await (await library.post("/notes", body)).json();
    await page.reload();
    await keyboard.openTab("Notes");
    await keyboard.activate(button("Change the note Moves soon"));
    await keyboard.fill(dialog().getByLabel("Title"), "Moves in May");
    await keyboard.fill(dialog().getByLabel("Text"), "Ask for the address");
    await change(library, `/notes/${id}`, { title: "Moves in June", popUpOnUser: true });
    await save();
    await notice("Title: they saved “Moves in June”, yours is “Moves in May”.").waitFor();
    await assertAccessible(page, "a note that two people changed");
    await keyboard.activate(dialog().getByRole("button", { name: "Take theirs: Title" }));
    await save();
    await dialog().waitFor({ state: "hidden" });
    const { title, content, popUpOnUser } = await library.read(`/notes/${id}`);
    assert.deepEqual([title, popUpOnUser], ["Moves in June", true]);
    assert.match(content, /Ask for the address/);
  });

  test("one proxy keep what each of them changed", async () => {
    const { proxiesFor } = await library.get("/proxiesfor", `userId=="${user.id}"`, 1);
    const path = `/proxiesfor/${proxiesFor[0].id}`;
    await page.reload();
    await keyboard.openTab("Details");
    await keyboard.activate(page.getByRole("button", { name: /^Change .*,/ }));
    await keyboard.to(dialog().getByRole("checkbox", { name: "Active" }));
    await keyboard.press(" ");
    await change(library, path, { requestForSponsor: "No" });
    await save();
    await notice("The proxy may request for the sponsor").waitFor();
    await save();
    await dialog().waitFor({ state: "hidden" });
    const { status, requestForSponsor } = await library.read(path);
    assert.deepEqual([status, requestForSponsor], ["Inactive", "No"]);
  });
});

describe("two people who edit one patron", () => {
  test("lose nothing: what only one changed is joined, the rest is asked", async () => {
    await button("Edit").click();
    await page.getByLabel("Last name").waitFor();
    await assertAccessible(page, "the form of a patron");
    const other = await library.read(`/users/${user.id}`);
    const personal = { ...other.personal, phone: "555-7777", lastName: "Theirs" };
    const answer = await library.put(`/users/${user.id}`, { ...other, personal });
    assert.equal(answer.status, 204);

    await page.getByLabel("Last name").fill("Mine");
    await page.getByLabel("Middle name").fill("Q.");
    await button("Save").click();
    const notice = page.getByRole("alert").filter({ hasText: "Their changes are in the form" });
    await notice.waitFor();
    assert.equal(await page.getByLabel("Phone", { exact: true }).inputValue(), "555-7777");
    assert.equal(await page.getByLabel("Last name").inputValue(), "Mine");
    assert.match(await notice.textContent(), /Last name: they saved “Theirs”, yours is “Mine”/);
    await screen(page, "patron-changed-by-two");
    await button("Save").click();
    await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    const saved = await library.read(`/users/${user.id}`);
    assert.equal(saved.personal.middleName, "Q.");
    assert.equal(saved.personal.phone, "555-7777");
  });

  test("a barcode that another patron has is refused at its field", async () => {
    const { users } = await library.get("/users", `barcode="" not id=="${user.id}"`, 1);
    await button("Edit").click();
    await page.getByLabel("Barcode").fill(users[0].barcode);
    await button("Save").click();
    await page.getByText("Another patron has this barcode.").waitFor();
    assert.equal(await page.getByLabel("Barcode").getAttribute("aria-invalid"), "true");
  });
});
