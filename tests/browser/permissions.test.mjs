/** What a user may not do is not offered, and a permission that is taken away while somebody types costs nothing typed. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { availableItems, change, openLibrary } from "./library.mjs";
import { openStaff, screen, signIn } from "./staff.mjs";

/** What an administrator has whose pages are looked at by somebody who may only read. */
const READS = [
  "users.collection.get",
  "users.item.get",
  "usergroups.collection.get",
  "addresstypes.collection.get",
  "departments.collection.get",
  "circulation.loans.collection.get",
  "circulation-storage.loan-policies.collection.get",
  "circulation-storage.loan-policies.item.get",
  "circulation-storage.fixed-due-date-schedules.collection.get",
];

/** What returning takes. */
const AT_THE_DESK = [
  "circulation.check-in-by-barcode.post",
  "inventory-storage.service-points.collection.get",
  "inventory-storage.service-points-users.collection.get",
];

let library;
let browser;
let page;
let reader;

/** A user with these permissions, who signs in. */
async function addUser(permissions) {
  const id = crypto.randomUUID();
  const username = `user-${id.slice(0, 8)}`;
  const password = "a good long password";
  const personal = { lastName: "Reader", firstName: "Rita", preferredContactTypeId: "002" };
  for (const [path, record] of [
    ["/users", { id, username, active: true, personal }],
    ["/authn/credentials", { username, password }],
    ["/perms/users", { userId: id, permissions }],
  ]) {
    assert.equal((await library.post(path, record)).status, 201, path);
  }
  return { id, user: username, password };
}

/** Replaces what the user may do. */
async function grantsOf({ id }) {
  const granted = await library.read(`/perms/users/${id}?indexField=userId`);
  return async (permissions) => {
    const answer = await library.put(`/perms/users/${granted.id}`, { ...granted, permissions });
    assert.equal(answer.status, 200);
  };
}

before(async () => {
  library = await openLibrary();
  reader = await addUser(READS);
  browser = await openStaff("/patrons", reader);
  page = browser.page;
});

after(() => browser?.close());

const button = (name) => page.getByRole("button", { name });

describe("a user who may only read", () => {
  test("is told why buttons do nothing", async () => {
    await expectEventually(() => button("New patron").getAttribute("aria-disabled"), "true");
    await button("New patron").focus();
    await page
      .getByRole("tooltip")
      .getByText(/lacks the permission users.item.post/)
      .waitFor();
    await screen(page, "permission-missing");
    await page.keyboard.press("Enter");
    await page
      .getByText(/lacks the permission users.item.post/)
      .first()
      .waitFor();
    assert.equal(new URL(page.url()).pathname, "/patrons");
    // The tooltip is React Aria's, in a place of its own that axe takes for a part of the page without a landmark.
    await page.keyboard.press("Escape");
    await assertAccessible(page, "the patrons, read only");
  });

  test("finds settings that can be looked at, but not changed", async () => {
    await page.goto("/settings/loan-policies");
    await expectEventually(() => button("Add: loan policy").getAttribute("aria-disabled"), "true");
    await page.getByRole("row").nth(1).click();
    await expectEventually(() => button("Edit").getAttribute("aria-disabled"), "true");
    assert.equal(await button("Delete").getAttribute("aria-disabled"), "true");
  });
});

describe("a permission that is taken away meanwhile", () => {
  test("is told when the patron is saved, and what was typed is saved once it is back", async () => {
    const may = [...READS, "users.item.put", "users.item.post"];
    const editor = await addUser(may);
    const patron = await addUser([]);
    const tab = await browser.context.newPage();
    await browser.context.clearCookies();
    await signIn(tab, editor);
    await tab.goto(`/patrons/${patron.id}/edit`);
    await tab.getByRole("textbox", { name: "First name", exact: true }).fill("Rosa");
    const grant = await grantsOf(editor);
    await grant(READS);
    await tab.getByRole("button", { name: "Save" }).click();
    await tab
      .getByRole("alert")
      .filter({ hasText: /users\.item\.put/ })
      .waitFor();
    await assertAccessible(tab, "a form that may not be saved");
    const typed = () => tab.getByRole("textbox", { name: "First name", exact: true }).inputValue();
    assert.equal(await typed(), "Rosa");
    await grant(may);
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.getByRole("heading", { level: 1, name: /Reader, Rosa/ }).waitFor();
    assert.equal((await library.read(`/users/${patron.id}`)).personal.firstName, "Rosa");
    await tab.close();
  });
});

describe("a permission that is taken away in the middle of a desk session", () => {
  test("costs no scan: those that were refused are sent again together", async () => {
    const all = [...READS, ...AT_THE_DESK];
    const clerk = await addUser(all);
    const tab = await browser.context.newPage();
    await browser.context.clearCookies();
    await signIn(tab, { ...clerk, servicePoint: "Circ Desk 1" });
    const desk = new Desk(tab);
    await desk.task("Check in", "Alt+Shift+2");
    const barcodes = await availableItems(library, 3);
    await desk.scan(barcodes[0]);
    await desk.expectAllAnswered(1);
    const grant = await grantsOf(clerk);
    await grant(all.filter((name) => name !== "circulation.check-in-by-barcode.post"));
    await desk.scan(...barcodes.slice(1));
    await desk.alarm.filter({ hasText: "2 scans were refused for want of a permission" }).waitFor();
    await assertAccessible(tab, "scans that were refused for want of a permission");
    await grant(all);
    await tab.getByRole("button", { name: "Try again" }).click();
    await desk.alarm.filter({ hasText: "refused for want" }).waitFor({ state: "hidden" });
    await desk.expectAllAnswered(3);
    await tab.close();
  });
});

describe("two people at the same settings", () => {
  test("are told, and both changes are saved", async () => {
    const name = `Three weeks ${Date.now().toString(36)}`;
    const answer = await library.post("/loan-policy-storage/loan-policies", {
      ...{ name, loanable: true, renewable: false },
      loansPolicy: {
        ...{ profileId: "Rolling", period: { duration: 3, intervalId: "Weeks" } },
        closedLibraryDueDateManagementId: "CURRENT_DUE_DATE_TIME",
      },
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    const { id } = await answer.json();
    const path = `/loan-policy-storage/loan-policies/${id}`;
    const tab = await browser.context.newPage();
    await browser.context.clearCookies();
    await signIn(tab);
    await tab.goto(`/settings/loan-policies/${id}/edit`);
    await tab.getByRole("textbox", { name: "Name", exact: true }).fill(`${name}, changed`);
    await change(library, path, { description: "For theses." });
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.getByText(/Somebody else has changed this record/).waitFor();
    await tab.getByRole("button", { name: /Read it again/ }).click();
    await tab.getByRole("alert").filter({ hasText: "Description" }).waitFor();
    assert.equal(
      await tab.getByRole("textbox", { name: "Name", exact: true }).inputValue(),
      `${name}, changed`,
    );
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.getByRole("heading", { level: 1, name: `${name}, changed` }).waitFor();
    const saved = await library.read(path);
    assert.deepEqual([saved.name, saved.description], [`${name}, changed`, "For theses."]);
    await tab.close();
  });
});
