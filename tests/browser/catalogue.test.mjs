/** A librarian finds a book by three words and facets, and a cataloguer makes a record that the next search finds. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { change, openLibrary } from "./library.mjs";
import { loseAnswer, saveTwice } from "./lostAnswer.mjs";
import { openStaff, screen } from "./staff.mjs";

let browser;
let page;

before(async () => {
  browser = await openStaff("/catalogue");
  page = browser.page;
});

after(() => browser?.close());

/** The rows of the titles that were found, after the heading, and without the line that says that they are loading. */
const titles = () =>
  page.getByRole("grid", { name: "Titles" }).getByRole("row").filter({ hasNotText: "Loading…" });

/** The words of a title that are searched for as they are. */
function plainWords(title) {
  return title.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word));
}

async function searchFor(text) {
  const field = page.getByRole("searchbox", { name: "Search for" });
  await field.fill(text);
  await field.press("Enter");
}

async function choose(label, option) {
  await page.getByRole("button", { name: label, exact: false }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

describe("finding a book", () => {
  test("by words, narrowed by facets", async () => {
    // The first search of a library makes its index.
    await titles().nth(1).waitFor({ timeout: 60_000 });
    await searchFor("history");
    await expectEventually(() => page.url(), /q=history/);
    await titles().nth(1).waitFor();
    const found = await page
      .getByRole("grid", { name: "Titles" })
      .getByRole("rowheader")
      .allTextContents();
    const words = found
      .map(plainWords)
      .find(({ length }) => length >= 3)
      ?.slice(0, 3)
      .join(" ");
    await searchFor(words);
    await expectEventually(() => page.url(), /q=/);
    await expectEventually(
      () => titles().nth(1).textContent(),
      new RegExp(words.split(" ")[0], "i"),
    );
    await searchFor("");
    const filters = page.getByRole("region", { name: "Filters" });
    const available = filters.getByRole("checkbox", { name: /^Available/ });
    await available.waitFor();
    await filters.getByText(/^Available/).click();
    await expectEventually(() => page.url(), /only=/);
    assert.ok(await available.isChecked());
    await filters.getByText(/^book/).click();
    await expectEventually(() => page.url(), /materialTypeId/);
    await titles().nth(1).waitFor();
    await page.setViewportSize({ width: 1100, height: 640 });
    await screen(page, "catalogue-search");
    await page.setViewportSize({ width: 1280, height: 900 });
    await assertAccessible(page, "the search of the catalogue");
  });

  test("its item is marked as missing and is found as such", async () => {
    await titles().nth(1).click();
    const items = page.getByRole("grid", { name: /^Items of/ }).first();
    await items.getByRole("row").filter({ hasText: "Available" }).first().waitFor();
    await screen(page, "catalogue-instance");
    await assertAccessible(page, "an instance");
    await items.getByRole("row").filter({ hasText: "Available" }).first().click();
    const heading = page.getByRole("heading", { level: 1, name: /^Item \d+/ });
    await heading.waitFor();
    const barcode = (await heading.textContent()).replace("Item ", "");
    await assertAccessible(page, "an item");
    await screen(page, "catalogue-item");
    await page.getByRole("button", { name: "Change status" }).click();
    await page.getByRole("menuitem", { name: "Mark as missing" }).click();
    const dialog = page.getByRole("dialog", { name: "Mark as missing?" });
    await dialog.getByRole("button", { name: "Mark as missing" }).click();
    await dialog.waitFor({ state: "hidden" });
    await expectEventually(
      () => page.getByRole("region", { name: "State" }).textContent(),
      /Missing/,
    );

    await page.goto(`/catalogue?by=barcode&q=${barcode}`);
    await titles().nth(1).waitFor();
    assert.equal(await titles().count(), 2, "a heading and one title");
    await titles().nth(1).click();
    const row = items.getByRole("row").filter({ hasText: barcode });
    await expectEventually(() => row.textContent(), /Missing/);
  });

  test("narrowed and widened again by facets, by keyboard alone", async () => {
    const keyboard = new Keyboard(page);
    const library = await openLibrary();
    const { mtypes } = await library.get("/material-types", 'name=="book"', 1);
    const [available, book] = [
      'items.status.name=="Available"',
      `items.materialTypeId=="${mtypes[0].id}"`,
    ];
    const expectTitles = async (query) => {
      const { totalRecords } = await library.get("/search/instances", query, 1);
      const words = `${totalRecords.toLocaleString("en-US")} ${totalRecords === 1 ? "title" : "titles"}`;
      await page.getByText(words, { exact: true }).first().waitFor();
    };
    const filters = page.getByRole("region", { name: "Filters" });
    const turn = async (name, isOn) => {
      const box = filters.getByRole("checkbox", { name });
      await keyboard.to(box);
      await keyboard.press("Space");
      await expectEventually(async () => String(await box.isChecked()), String(isOn));
      const isFocused = () => box.evaluate((input) => String(input === document.activeElement));
      await expectEventually(isFocused, "true");
    };
    await keyboard.press("Alt+Shift+C");
    await keyboard.fill(page.getByRole("searchbox", { name: "Search for" }), "history");
    await keyboard.press("Enter");
    await expectTitles('keyword all "history"');
    await turn(/^Available/, true);
    await expectTitles(`keyword all "history" and ${available}`);
    await turn(/^book/, true);
    await expectTitles(`keyword all "history" and ${available} and ${book}`);
    await turn(/^Available/, false);
    await expectTitles(`keyword all "history" and ${book}`);
    await turn(/^book/, false);
    await expectTitles('keyword all "history"');
    // A title with items: other tests save some without at the same time.
    await turn(/^book/, true);
    await expectTitles(`keyword all "history" and ${book}`);
    await keyboard.toRow(titles().nth(1));
    await keyboard.press("Enter");
    await page
      .getByRole("grid", { name: /^Items of/ })
      .first()
      .waitFor();
  });

  test("by the list of subjects", async () => {
    await page.goto("/catalogue/browse/subjects?q=m");
    const rows = page.getByRole("grid", { name: "Subjects" }).getByRole("row");
    await rows.filter({ hasText: "would be here" }).waitFor();
    await assertAccessible(page, "the subjects");
    await screen(page, "catalogue-subjects");
    await rows
      .filter({ hasText: /^M[a-z]/ })
      .first()
      .click();
    await titles().nth(1).waitFor();
  });
});

describe("a cataloguer's record", () => {
  const title = `The lighthouse keeper's almanac ${Date.now()}`;
  const barcode = `39${Date.now()}`;

  test("is made with holdings and an item", async () => {
    await page.goto("/catalogue");
    await page.getByRole("link", { name: "Add an instance" }).click();
    await page.getByRole("heading", { level: 1, name: "New instance" }).waitFor();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
    await page.getByRole("combobox", { name: "Resource type" }).fill("text");
    await page.getByRole("option", { name: "text", exact: true }).click();
    await page.getByRole("button", { name: "Add Contributor" }).click();
    await page.keyboard.type("Hansen, Ida");
    await choose("Type of name", "Personal name");
    await assertAccessible(page, "the form of an instance");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();

    await page.getByRole("link", { name: "Add holdings" }).click();
    await page.getByRole("heading", { level: 1, name: "New holdings" }).waitFor();
    await choose("Permanent location", "Main Library");
    await page.getByRole("textbox", { name: "Call number", exact: true }).fill("VK1010 .H36");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 2, name: /Main Library.*VK1010/ }).waitFor();
    await page.getByRole("link", { name: "Add an item" }).click();
    await page.getByRole("heading", { level: 1, name: "New item" }).waitFor();
    await page.getByRole("textbox", { name: "Barcode" }).fill(barcode);
    await choose("Material type", "book");
    await choose("Permanent loan type", "Can circulate");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: `Item ${barcode}` }).waitFor();
  });

  test("is found by the next search", async () => {
    await page.goto("/catalogue");
    await searchFor("lighthouse keeper's almanac Hansen");
    await titles().filter({ hasText: title }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
  });

  test("a barcode that is taken is refused at its field, and nothing typed is lost", async () => {
    await page.getByRole("link", { name: "Add an item" }).click();
    await page.getByRole("textbox", { name: "Barcode" }).fill(barcode);
    await choose("Material type", "book");
    await choose("Permanent loan type", "Can circulate");
    await page.getByRole("button", { name: "Save" }).click();
    const field = page.getByRole("textbox", { name: "Barcode" });
    await expectEventually(
      () => field.evaluate((input) => input.closest("div").textContent),
      /already assigned to another item/,
    );
    assert.equal(await field.inputValue(), barcode);
    await field.fill(`${barcode}2`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: `Item ${barcode}2` }).waitFor();
  });

  test("whose answer was lost is made only once", async () => {
    const keyboard = new Keyboard(page);
    const lost = `An answer lost at sea ${Date.now()}`;
    await page.goto("/catalogue/instances/new");
    await keyboard.fill(page.getByRole("textbox", { name: "Title", exact: true }), lost);
    await keyboard.find(page.getByRole("combobox", { name: "Resource type" }), "text");
    await loseAnswer(page, "/inventory/instances");
    await saveTwice(page, () => keyboard.activate(page.getByRole("button", { name: "Save" })));
    await page.getByRole("heading", { level: 1, name: lost }).waitFor();
    const library = await openLibrary();
    const found = await library.get("/instance-storage/instances", `title=="${lost}"`, 0);
    assert.equal(found.totalRecords, 1);
  });

  test("that somebody else changes meanwhile is saved with both changes", async () => {
    await page.goto(`/catalogue?by=barcode&q=${barcode}`);
    await titles().filter({ hasText: title }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Title to sort by" }).fill("lighthouse almanac");
    const id = /instances\/([^/]+)/.exec(page.url())[1];
    const library = await openLibrary();
    await change(library, `/inventory/instances/${id}`, { editions: ["2nd edition"] });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /Read it again/ }).click();
    await page.getByRole("alert").filter({ hasText: "Editions" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await expectEventually(
      () => page.getByRole("main").textContent(),
      /lighthouse almanac.*2nd edition/s,
    );
  });
});
