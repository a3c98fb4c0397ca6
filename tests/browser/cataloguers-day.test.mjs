/** A cataloguer's record, by keyboard alone: searched, made with holdings and an item, labelled, moved to another status. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary } from "./library.mjs";
import { openStaff } from "./staff.mjs";

const RUN = Date.now();
const TITLE = `Tide tables of the northern harbours ${RUN}`;
const BARCODE = `38${RUN}`;

let browser;
let page;
let keyboard;

before(async () => {
  browser = await openStaff("/catalogue");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = (name) => page.getByRole("button", { name });
const link = (name) => page.getByRole("link", { name, exact: true });
const text = (name) => page.getByRole("textbox", { name, exact: true });
const titles = () => page.getByRole("grid", { name: "Titles" });

const search = async (words) => {
  await keyboard.fill(page.getByRole("searchbox", { name: "Search for" }), words);
  await keyboard.press("Enter");
};

test("the title is searched for, and is not there yet", async () => {
  await titles().getByRole("row").nth(1).waitFor({ timeout: 120_000 });
  await search(TITLE);
  await page.getByText("No title fits.").waitFor();
});

test("the record is made, with holdings and an item", async () => {
  await keyboard.activate(link("Add an instance"));
  await heading("New instance");
  await keyboard.fill(text("Title"), TITLE);
  await keyboard.find(page.getByRole("combobox", { name: "Resource type" }), "text");
  await keyboard.activate(button("Save"));
  await heading(TITLE);

  await keyboard.activate(link("Add holdings"));
  await heading("New holdings");
  await keyboard.choose(button(/^Permanent location|Choose Permanent location/), "Main Library");
  await keyboard.fill(text("Call number"), "VK777 .T53");
  await keyboard.activate(button("Save"));
  await page.getByRole("heading", { level: 2, name: /Main Library.*VK777/ }).waitFor();

  await keyboard.activate(link("Add an item"));
  await heading("New item");
  await keyboard.fill(text("Barcode"), BARCODE);
  await keyboard.choose(button(/Material type/), "book");
  await keyboard.choose(button(/Permanent loan type/), "Can circulate");
  await keyboard.activate(button("Save"));
  await heading(`Item ${BARCODE}`);
});

test("the item gets what its label shows", async () => {
  await keyboard.activate(link("Edit"));
  await heading(`Edit item ${BARCODE}`);
  await keyboard.fill(text("Volume"), "v. 2");
  await keyboard.fill(text("Copy number"), "c. 3");
  await keyboard.fill(text("Call number prefix"), "REF");
  await keyboard.activate(button("Save"));
  // The form's heading has these words as well; only the item's page has the link.
  await link("Edit").waitFor();
  const library = await openLibrary();
  const [item] = (await library.get("/inventory/items", `barcode=="${BARCODE}"`, 1)).items;
  assert.equal(item.volume, "v. 2");
  assert.equal(item.copyNumber, "c. 3");
  const { prefix, callNumber } = item.effectiveCallNumberComponents;
  assert.deepEqual([prefix, callNumber], ["REF", "VK777 .T53"]);
});

/** What the menu of statuses offers, in an order in which each may follow the one before. */
const MOVES = [
  ["Mark as missing", "Missing"],
  ["Mark as long missing", "Long missing"],
  ["Mark as withdrawn", "Withdrawn"],
  ["Mark as restricted", "Restricted"],
  ["Mark as unavailable", "Unavailable"],
  ["Mark as intellectual item", "Intellectual item"],
  ["Mark as unknown", "Unknown"],
  ["Mark as in process, not requestable", "In process (non-requestable)"],
  ["Mark as in process", "In process"],
];

test("the item is moved to each other status", async () => {
  const library = await openLibrary();
  for (const [label, status] of MOVES) {
    await keyboard.activate(button("Change status"));
    await keyboard.activate(page.getByRole("menuitem", { name: label, exact: true }), "ArrowDown");
    const dialog = page.getByRole("dialog", { name: `${label}?`, exact: true });
    await keyboard.activate(dialog.getByRole("button", { name: label, exact: true }));
    await dialog.waitFor({ state: "hidden" });
    const state = page.getByRole("region", { name: "State" });
    await state.getByText(status, { exact: true }).first().waitFor();
    const [item] = (await library.get("/inventory/items", `barcode=="${BARCODE}"`, 1)).items;
    assert.equal(item.status.name, status);
  }
});

test("and the next search finds it", async () => {
  await keyboard.press("Alt+Shift+C");
  await page.getByRole("searchbox", { name: "Search for" }).waitFor();
  await search(TITLE);
  await keyboard.toRow(titles().getByRole("row").filter({ hasText: TITLE }));
  await keyboard.press("Enter");
  await heading(TITLE);
});
