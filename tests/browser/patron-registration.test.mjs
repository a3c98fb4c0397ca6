/** A new reader at the desk, by keyboard alone: everything about them is entered, and who may borrow for them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary } from "./library.mjs";
import { openStaff } from "./staff.mjs";
import { makePatron } from "./thursdays.mjs";

const RUN = Date.now().toString(36);
const BARCODE = `reader-${RUN}`;
const LAST_NAME = `Osterholm${RUN}`;

let browser;
let page;
let keyboard;
let library;
let user;

before(async () => {
  library = await openLibrary();
  browser = await openStaff("/patrons");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const exactly = (role, name) => page.getByRole(role, { name, exact: true });
const button = (name) => exactly("button", name);
const dialog = () => page.getByRole("dialog");
const fill = (label, text) => keyboard.fill(exactly("textbox", label), text);
const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();

/** A date is typed part by part; the next part has the focus when one is full. */
async function fillDate(within, label, digits) {
  await keyboard.to(
    within.getByRole("group", { name: label, exact: true }).getByRole("spinbutton"),
  );
  await keyboard.type(digits);
}

async function tick(box) {
  await keyboard.to(box);
  await keyboard.press("Space");
}

/** Goes to the patron that this finds. */
async function search(text) {
  await keyboard.press("Alt+Shift+P");
  await keyboard.fill(page.getByRole("searchbox", { name: "Search patrons" }), text);
  await keyboard.press("Enter");
  await expectEventually(() => page.getByText(/^\d+ patrons?$/).textContent(), "1 patron");
  await keyboard.toRow(page.getByRole("row").filter({ hasText: BARCODE }));
  await keyboard.press("Enter");
  await heading(LAST_NAME);
}

test("a patron is entered with every field of the form", async () => {
  const { addressTypes } = await library.read("/addresstypes?limit=2&query=cql.allRecords=1");
  const [home, work] = addressTypes;
  await keyboard.activate(button("New patron"));
  await fill("Last name", LAST_NAME);
  await fill("First name", "Signe");
  await fill("Middle name", "M.");
  await fill("Preferred first name", "Sig");
  await fill("Pronouns", "she/her");
  await fill("Barcode", BARCODE);
  await fill("User name", BARCODE);
  await fill("External id", `ext-${RUN}`);
  await keyboard.choose(page.getByRole("button", { name: /Patron group/ }), "undergrad");
  await fillDate(page, "Expires", "06302031");
  await fillDate(page, "Enrolled", "09012026");
  await fillDate(page, "Date of birth", "02032001");
  await fill("E-mail", "signe@example.org");
  await fill("Phone", "555-0101");
  await fill("Mobile phone", "555-0102");
  await keyboard.choose(page.getByRole("button", { name: /Preferred contact/ }), "E-mail");

  await keyboard.activate(button("Add an address"));
  const address = (n) => page.getByRole("group", { name: `Address ${n}`, exact: true });
  const line = (n, label, text) =>
    keyboard.fill(address(n).getByRole("textbox", { name: label, exact: true }), text);
  const hasFocus = (n) => address(n).evaluate((group) => group.contains(document.activeElement));
  assert.ok(await hasFocus(1), "the focus is in what was added");
  const type = address(1).getByRole("button", { name: /Address type/ });
  await keyboard.choose(type, home.addressType);
  await line(1, "Address line 1", "Quay 5");
  await line(1, "Address line 2", "Second floor");
  await line(1, "City", "Harbourton");
  await line(1, "Region", "North");
  await line(1, "Postal code", "0815");
  await line(1, "Country", "NO");
  await keyboard.activate(button("Add an address"));
  await keyboard.choose(address(2).getByRole("button", { name: /Address type/ }), work.addressType);
  await line(2, "Address line 1", "Library Road 1");
  await keyboard.activate(button("Add an address"));
  await keyboard.activate(button("Remove address 3"));
  await expectEventually(
    () => page.evaluate(() => document.activeElement?.textContent),
    "Add an address",
  );
  await keyboard.activate(button("Save"));
  await heading(LAST_NAME);

  [user] = (await library.get("/users", `barcode=="${BARCODE}"`, 2)).users;
  const { personal } = user;
  const { usergroups } = await library.get("/groups", 'group=="undergrad"', 1);
  assert.deepEqual(
    [user.username, user.externalSystemId, user.active, user.patronGroup],
    [BARCODE, `ext-${RUN}`, true, usergroups[0].id],
  );
  assert.match(user.expirationDate, /^2031-0(6-30|7-01)T/);
  assert.match(user.enrollmentDate, /^2026-09-01T|^2026-08-31T/);
  assert.match(personal.dateOfBirth, /^2001-02-0[23]T/);
  const { lastName, firstName, middleName, preferredFirstName, pronouns } = personal;
  assert.deepEqual(
    [lastName, firstName, middleName, preferredFirstName, pronouns],
    [LAST_NAME, "Signe", "M.", "Sig", "she/her"],
  );
  const { email, phone, mobilePhone, preferredContactTypeId } = personal;
  assert.deepEqual(
    [email, phone, mobilePhone, preferredContactTypeId],
    ["signe@example.org", "555-0101", "555-0102", "002"],
  );
  const [first, second] = personal.addresses;
  assert.equal(personal.addresses.length, 2);
  const { addressLine1, addressLine2, city, region, postalCode, countryId } = first;
  assert.deepEqual(
    [addressLine1, addressLine2, city, region, postalCode, countryId],
    ["Quay 5", "Second floor", "Harbourton", "North", "0815", "NO"],
  );
  assert.deepEqual([first.addressTypeId, first.primaryAddress], [home.id, true]);
  assert.deepEqual([second.addressTypeId, second.addressLine1], [work.id, "Library Road 1"]);
});

test("the patron is found by name and by barcode", async () => {
  for (const text of [`${LAST_NAME}, Signe`, BARCODE]) await search(text);
});

test("a proxy is added, changed and removed", async () => {
  const proxy = await makePatron(library, `proxy-${RUN}`, `Proxyberg${RUN}`);
  const relations = async () => {
    const found = await library.get("/proxiesfor", `userId=="${user.id}"`, 10);
    return found.proxiesFor;
  };
  const save = async () => {
    await keyboard.activate(dialog().getByRole("button", { name: "Save" }));
    await dialog().waitFor({ state: "hidden" });
  };
  await keyboard.activate(button("Add a proxy…"));
  const other = dialog().getByRole("combobox", { name: "Proxy" });
  await keyboard.find(other, `Proxyberg${RUN}, Tova · proxy-${RUN}`);
  await fillDate(dialog(), "Expires", "12312030");
  await assertAccessible(page, "a new proxy");
  await save();
  const [made] = await relations();
  const { proxyUserId, status, requestForSponsor, notificationsTo } = made;
  assert.deepEqual(
    [proxyUserId, status, requestForSponsor, notificationsTo],
    [proxy.id, "Active", "Yes", "Sponsor"],
  );
  assert.match(made.expirationDate, /^2030-12-31/);

  await keyboard.activate(page.getByRole("button", { name: /^Change Proxyberg/ }));
  await tick(dialog().getByRole("checkbox", { name: "The proxy may request for the sponsor" }));
  await keyboard.choose(dialog().getByRole("button", { name: /Notices go to/ }), "the proxy");
  await save();
  await page.getByText(/notices go to the proxy/).waitFor();
  const [changed] = await relations();
  assert.deepEqual([changed.requestForSponsor, changed.notificationsTo], ["No", "Proxy"]);

  await keyboard.activate(page.getByRole("button", { name: /^Remove Proxyberg/ }));
  await keyboard.activate(dialog().getByRole("button", { name: "Remove" }));
  await page.getByText("No proxies.").waitFor();
  assert.deepEqual(await relations(), []);
});

test("a sponsor is added, and the sponsor's page says so", async () => {
  const sponsor = await makePatron(library, `sponsor-${RUN}`, `Sponsorsen${RUN}`);
  await keyboard.activate(button("Add a sponsor…"));
  const other = dialog().getByRole("combobox", { name: "Sponsor" });
  await keyboard.find(other, `Sponsorsen${RUN}, Tova · sponsor-${RUN}`);
  await keyboard.activate(dialog().getByRole("button", { name: "Save" }));
  await dialog().waitFor({ state: "hidden" });
  await keyboard.activate(page.getByRole("link", { name: new RegExp(`Sponsorsen${RUN}`) }));
  await heading(`Sponsorsen${RUN}`);
  await page
    .getByRole("list", { name: "Proxies of this patron" })
    .getByRole("link", { name: new RegExp(LAST_NAME) })
    .waitFor();
  const { proxiesFor } = await library.get("/proxiesfor", `userId=="${sponsor.id}"`, 10);
  assert.deepEqual(
    proxiesFor.map(({ proxyUserId }) => proxyUserId),
    [user.id],
  );
});
