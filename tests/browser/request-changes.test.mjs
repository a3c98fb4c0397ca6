/** What becomes of a request, by keyboard alone: another pickup place and day, another copy, and any copy of a title. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary, patronAndItem, servicePointNamed } from "./library.mjs";
import { openStaff, reload } from "./staff.mjs";
import { make, makePatron } from "./thursdays.mjs";

const RUN = Date.now().toString(36);
const DESK = "Circ Desk 1";

let browser;
let page;
let keyboard;
let library;
/** The copy that is lent, and another on the shelf. */
let lent;
let shelved;

/** Another copy of the same title. */
async function copyOf({ id }, barcode) {
  const item = await library.read(`/item-storage/items/${id}`);
  const { holdingsRecordId, materialTypeId, permanentLoanTypeId } = item;
  return make(library, "/item-storage/items", {
    ...{ barcode, holdingsRecordId, materialTypeId, permanentLoanTypeId },
    status: { name: "Available" },
  });
}

before(async () => {
  library = await openLibrary();
  const servicePointId = await servicePointNamed(library, DESK);
  const { itemBarcode, userBarcode } = await patronAndItem(library);
  const [item] = (await library.get("/inventory/items", `barcode=="${itemBarcode}"`, 1)).items;
  lent = await copyOf(item, `lent-${RUN}`);
  shelved = await copyOf(item, `shelved-${RUN}`);
  const answer = await library.post("/circulation/check-out-by-barcode", {
    ...{ itemBarcode: lent.barcode, userBarcode, servicePointId },
  });
  assert.equal(answer.status, 201, await answer.text());
  await makePatron(library, `Askeland-${RUN}`, `Askeland${RUN}`);
  browser = await openStaff("/requests", { servicePoint: DESK });
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const button = (name) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const stored = () => library.read(`/circulation/requests/${page.url().split("/").pop()}`);

/** Fills in the form of a new request for an item, up to the choices. */
async function begin(barcode, reader) {
  await keyboard.press("Alt+Shift+R");
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  await keyboard.activate(button("New request"));
  await keyboard.fill(page.getByRole("searchbox", { name: "Item barcode" }), barcode);
  await keyboard.press("Enter");
  await page.getByText(/ · (Checked out|Available|Paged)$/).waitFor();
  const requester = page.getByRole("combobox", { name: "Requester" });
  await keyboard.find(requester, `${reader}${RUN}, Tova · ${reader}-${RUN}`);
}

/** Waits until the types are there that may be requested. */
const isPlaceable = () =>
  expectEventually(() => button("Place the request").getAttribute("aria-disabled"), null);

async function place() {
  await isPlaceable();
  await keyboard.activate(button("Place the request"));
  await button("Move…").waitFor();
}

async function fillDate(within, digits) {
  const date = within.getByRole("group", { name: "Expires", exact: true });
  await keyboard.to(date.getByRole("spinbutton"));
  await keyboard.type(digits);
}

test("a request is placed with a day on which it ends and a comment", async () => {
  await begin(lent.barcode, "Askeland");
  await isPlaceable();
  await keyboard.choose(page.getByRole("button", { name: /Type/ }), "Hold");
  await fillDate(page, "06302031");
  const comment = page.getByRole("textbox", { name: "Comment of the patron" });
  await keyboard.fill(comment, "For the seminar");
  await place();
  const { requestType, itemId, requestExpirationDate, patronComments } = await stored();
  assert.deepEqual([requestType, itemId, patronComments], ["Hold", lent.id, "For the seminar"]);
  assert.match(requestExpirationDate, /^2031-06-30/);
});

test("it gets another pickup place and another day", async () => {
  await keyboard.activate(button("Edit…"));
  await keyboard.choose(dialog().getByRole("button", { name: /Pickup at/ }), "Circ Desk 2");
  await fillDate(dialog(), "07152031");
  await keyboard.activate(dialog().getByRole("button", { name: "Save" }));
  await dialog().waitFor({ state: "hidden" });
  const { pickupServicePoint, requestExpirationDate } = await stored();
  assert.equal(pickupServicePoint.name, "Circ Desk 2");
  assert.match(requestExpirationDate, /^2031-07-15/);
});

test("it is moved to another copy, which is on the shelf", async () => {
  await keyboard.activate(button("Move…"));
  await keyboard.fill(dialog().getByLabel("Barcode of the other copy"), "no-such-copy");
  await keyboard.press("Enter");
  await dialog().getByRole("alert").waitFor();
  await assertAccessible(page, "a request that was not moved");
  await keyboard.fill(dialog().getByLabel("Barcode of the other copy"), shelved.barcode);
  await keyboard.press("Enter");
  await dialog().waitFor({ state: "hidden" });
  await page.getByText(shelved.barcode, { exact: true }).waitFor();
  const { itemId, requestType } = await stored();
  assert.deepEqual([itemId, requestType], [shelved.id, "Page"]);
  const { status } = await library.read(`/inventory/items/${shelved.id}`);
  assert.equal(status.name, "Paged");
});

describe("where patrons ask for titles", () => {
  let setting;

  before(async () => {
    setting = await make(library, "/circulation/settings", {
      ...{ id: crypto.randomUUID(), name: "generalTlr" },
      value: { titleLevelRequestsFeatureEnabled: true, createTitleLevelRequestsByDefault: false },
    });
    // The page knows the setting from before.
    await reload(page);
  });

  after(() => setting && library.remove(`/circulation/settings/${setting.id}`));

  test("any copy is requested", async () => {
    await makePatron(library, `Titelmann-${RUN}`, `Titelmann${RUN}`);
    const free = await copyOf(lent, `free-${RUN}`);
    await begin(free.barcode, "Titelmann");
    await keyboard.choose(page.getByRole("button", { name: /Level/ }), "Any copy");
    await place();
    await page.getByText("Any copy", { exact: true }).waitFor();
    const { requestLevel, requestType, instanceId } = await stored();
    const { holdingsRecordId } = lent;
    const holdings = await library.read(`/holdings-storage/holdings/${holdingsRecordId}`);
    assert.deepEqual(
      [requestLevel, requestType, instanceId],
      ["Title", "Page", holdings.instanceId],
    );
  });
});
