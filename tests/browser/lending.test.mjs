/** Lending at the desk beyond the ordinary: for a sponsor, another due date, an item that is in no catalogue, a receipt. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary, openLoansOf, patronAndItem } from "./library.mjs";
import { startMailServer } from "./mailServer.mjs";
import { openStaff, screen } from "./staff.mjs";

const SERVICE_POINT = "Circ Desk 1";
/** A barcode that no library has. */
const NEW_BARCODE = `new-${crypto.randomUUID().slice(0, 8)}`;

let browser;
let page;
let desk;
let library;
let pair;

before(async () => {
  library = await openLibrary();
  pair = await patronAndItem(library);
  browser = await openStaff("/check-out", { servicePoint: SERVICE_POINT });
  page = browser.page;
  desk = new Desk(page);
  await desk.expectFocusInScanField();
});

after(async () => {
  await browser?.close();
  for (const path of made) await library.remove(path);
});

/** The paths of records that are only for these tests. */
const made = [];

async function create(path, record) {
  const answer = await library.post(path, record);
  assert.equal(answer.status, 201, path);
  const { id } = await answer.json();
  made.push(`${path}/${id}`);
  return id;
}

async function userWith(barcode) {
  return (await library.get("/users", `barcode=="${barcode}"`, 1)).users[0];
}

const endSession = async () => {
  await desk.keyboard.press("Alt+Shift+0");
  await page.getByLabel("Patron barcode").waitFor();
};

describe("the patron's card", () => {
  test("shows what staff must know, with notes that are for the desk", async () => {
    const patron = await userWith(pair.userBarcode);
    const { noteTypes } = await library.read("/note-types?limit=1");
    const note = { typeId: noteTypes[0].id, domain: "users", title: "Card found" };
    const links = [{ id: patron.id, type: "user" }];
    const text = `It lies at the desk since ${NEW_BARCODE}.`;
    const content = `<p>${text}</p>`;
    await create("/notes", { ...note, content, links, popUpOnCheckOut: true });
    await desk.scanPatron(pair.userBarcode);
    await desk.patron.getByRole("link", { name: pair.lastName }).waitFor();
    await desk.patron.getByText(text).waitFor();
    const { firstName = "" } = patron.personal;
    const initials = `${firstName.slice(0, 1)}${pair.lastName.slice(0, 1)}`;
    await desk.patron.getByText(initials, { exact: true }).waitFor();
    for (const name of ["Expires", "Open loans", "Ready here", "Fees owed", "Notes"]) {
      await desk.patron.getByText(name, { exact: true }).waitFor();
    }
    await assertAccessible(page, "a patron at the desk");
    await endSession();
  });
});

describe("a proxy", () => {
  let sponsor;

  before(async () => {
    const { users } = await library.get(
      "/users",
      'active==true and barcode="" sortby username',
      30,
    );
    const proxy = await userWith(pair.userBarcode);
    for (const candidate of users.filter(({ id }) => id !== proxy.id)) {
      const body = { itemBarcode: pair.itemBarcode, userBarcode: candidate.barcode };
      const answer = await library.post("/circulation/check-out-by-barcode-dry-run", body);
      if (answer.status !== 201) continue;
      sponsor = candidate;
      break;
    }
    const relation = { userId: sponsor.id, proxyUserId: proxy.id, status: "Active" };
    await create("/proxiesfor", { ...relation, accrueTo: "Sponsor" });
  });

  test("borrows for a sponsor who is chosen at the desk", async () => {
    await desk.scanPatron(pair.userBarcode);
    await desk.patron.getByText("may also borrow for others").waitFor();
    await page.keyboard.press("Alt+Shift+9");
    const dialog = page.getByRole("dialog", { name: /For whom does/ });
    await dialog.waitFor();
    await assertAccessible(page, "choosing a sponsor");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await desk.patron.getByText(`Borrows for ${sponsor.personal.lastName}`).waitFor();
    await desk.expectFocusInScanField();
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, new RegExp(`Lent for ${sponsor.personal.lastName}`));
    const { items } = await library.get("/inventory/items", `barcode=="${pair.itemBarcode}"`, 1);
    const open = `itemId=="${items[0].id}" and status.name=="Open"`;
    const { loans } = await library.get("/circulation/loans", open, 1);
    const proxy = await userWith(pair.userBarcode);
    assert.deepEqual([loans[0].userId, loans[0].proxyUserId], [sponsor.id, proxy.id]);
    await screen(page, "check-out-sponsor");
  });

  test("leaves the next patron to borrow for themselves", async () => {
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Returned from/);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scan(sponsor.barcode);
    await desk.patron.getByRole("link", { name: sponsor.personal.lastName }).waitFor();
    await desk.patron.getByText(/^Proxies: /).waitFor();
    assert.equal(await desk.patron.getByText("Borrows for").count(), 0);
    await endSession();
  });
});

describe("a loan in the list", () => {
  test("gets another due date", async () => {
    await desk.scanPatron(pair.userBarcode);
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Due /);
    await page.keyboard.press("Alt+Shift+8");
    await page.getByRole("dialog", { name: "Change due date" }).waitFor();
    await assertAccessible(page, "another due date");
    await page.keyboard.type("12312099");
    await page.keyboard.press("Enter");
    await desk.expectRow(
      pair.itemBarcode,
      /Dec 31, 2099.*The due date was changed|The due date was changed.*Dec 31, 2099/s,
    );
    await desk.expectFocusInScanField();
  });

  test("is on the receipt that is sent by e-mail, once there is a mail server", async () => {
    await page.getByRole("button", { name: "E-mail receipt…" }).click();
    const dialog = page.getByRole("dialog", { name: "E-mail receipt" });
    await dialog.getByLabel("E-mail address").fill("reader@example.org");
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("This library has no mail server yet.").waitFor();
    await assertAccessible(page, "a receipt that was not sent");
    const server = await startMailServer();
    const connection = { host: "127.0.0.1", port: server.port, username: "desk", password: "desk" };
    const open = {
      ssl: false,
      trustAll: true,
      loginOption: "DISABLED",
      startTlsOptions: "DISABLED",
    };
    const from = "desk@example.org";
    const made = await library.post("/smtp-configuration", { ...connection, ...open, from });
    assert.equal(made.status, 201);
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.waitFor({ state: "hidden" });
    const mail = await server.next((text) => text.includes(pair.itemBarcode));
    assert.match(mail, /^To: .*reader@example\.org/m);
    await server.stop();
    const { id } = await made.json();
    await library.remove(`/smtp-configuration/${id}`);
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Returned from/);
    await desk.keyboard.press("Alt+Shift+0");
    await desk.keyboard.press("Alt+Shift+1");
  });
});

describe("an item that is in no catalogue", () => {
  test("is added at the desk and lent, by keyboard alone", async () => {
    const keyboard = new Keyboard(page);
    await desk.scanPatron(pair.userBarcode);
    await desk.scan(NEW_BARCODE);
    await desk.expectRow(NEW_BARCODE, /No item has the barcode/);
    await page.keyboard.press("Alt+Shift+3");
    const dialog = page.getByRole("dialog", { name: "Add an item" });
    await dialog.getByLabel("Title").waitFor();
    await assertAccessible(page, "adding an item");
    await screen(page, "check-out-add-item");
    await page.keyboard.type("A pamphlet of the desk");
    for (const label of ["Resource type", "Location", "Material type", "Loan type"]) {
      await chooseFirst(keyboard, dialog, label);
    }
    await keyboard.activate(dialog.getByRole("button", { name: "Add and check out" }));
    await desk.expectRow(NEW_BARCODE, /A pamphlet of the desk/);
    await desk.expectFocusInScanField();
    const { items } = await library.get("/inventory/items", `barcode=="${NEW_BARCODE}"`, 1);
    const { instanceId } = await library.read(
      `/holdings-storage/holdings/${items[0].holdingsRecordId}`,
    );
    const instance = await library.read(`/inventory/instances/${instanceId}`);
    assert.deepEqual([instance.discoverySuppress, instance.source], [true, "FOLIO"]);
    assert.equal(await openLoansOf(library, NEW_BARCODE), 1);
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(NEW_BARCODE);
    await desk.expectRow(NEW_BARCODE, /Returned from/);
    await desk.keyboard.press("Alt+Shift+1");
    await endSession();
  });

  /** Chooses the first option of a field, whether it is a list or a field to type into. */
  async function chooseFirst(keyboard, dialog, label) {
    const option = page.getByRole("option").filter({ hasNotText: /^None$/ });
    await keyboard.to(dialog.getByLabel(label));
    await keyboard.press("ArrowDown");
    await option.first().waitFor();
    const isActive = () =>
      option
        .first()
        .evaluate((element) =>
          String(
            element === document.activeElement ||
              element.id === document.activeElement.getAttribute("aria-activedescendant"),
          ),
        );
    if ((await isActive()) !== "true") await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await option.first().waitFor({ state: "hidden" });
  }
});
