/** An archivist's day, by keyboard alone: from a finding aid to a box in the reading room. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findingAid, openArchives } from "./archives.mjs";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary, patronAndItem, servicePointNamed } from "./library.mjs";
import { openStaff, screen } from "./staff.mjs";

const DESK = "Circ Desk 1";

const RUN = Date.now().toString(36);
const TITLE = `Papers of the harbour office ${RUN}`;
const BARCODE = `HARBOUR${RUN}`.toUpperCase();

let browser;
let page;
let keyboard;
let desk;
let library;
let archives;
/** Where boxes are: a location of the desk, so that they are at home there when they come back. */
let location;

before(async () => {
  library = await openLibrary();
  archives = await openArchives();
  const near = `primaryServicePoint=="${await servicePointNamed(library, DESK)}"`;
  [location] = (await library.get("/locations", near, 1)).locations;
  browser = await openStaff("/archives", { servicePoint: DESK });
  page = browser.page;
  keyboard = new Keyboard(page);
  desk = new Desk(page);
});

after(async () => {
  await browser?.close();
  // Other tests meet the library without boxes; they circulate no more unless a test has failed.
  await archives?.call("DELETE", CIRCULATION()).catch(() => undefined);
});

const CIRCULATION = () => `${archives.repository}/container_circulation`;

const button = (name) => page.getByRole("button", { name, exact: true });
const heading = (name, level = 1) => page.getByRole("heading", { name, level }).waitFor();

test("a finding aid is imported by a job", async () => {
  await keyboard.activate(button("Import a finding aid…"));
  await heading("Import");
  const aid = findingAid({ id: `harbour-${RUN}`, title: TITLE, files: 6, series: 2 });
  const file = { name: "harbour.xml", mimeType: "application/xml", buffer: Buffer.from(aid) };
  const files = page.getByLabel("Files", { exact: true }).and(page.locator("input"));
  await keyboard.to(files);
  // The dialog that chooses files is the system's.
  await files.setInputFiles(file);
  await keyboard.activate(button("Import"));
  await heading("harbour.xml");
  await keyboard.activate(page.getByRole("link", { name: /^Open resource/ }));
  await heading(TITLE);
});

test("the letters in it get a box with a barcode", async () => {
  const tree = page.getByRole("tree");
  await keyboard.to(tree);
  await keyboard.press("Home");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowRight");
  await tree.getByRole("treeitem", { name: /^Folder 1 / }).waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await heading(/^Folder 1/, 2);
  await keyboard.activate(button("Edit"));
  await keyboard.activate(button("New top container…"));
  await page.getByRole("dialog").waitFor();
  await keyboard.fill(page.getByLabel("Indicator", { exact: true }), "7");
  await keyboard.fill(page.getByLabel("Barcode"), BARCODE);
  await keyboard.press("Enter");
  await page.getByRole("group", { name: "Container 1" }).getByText("Box 7").waitFor();
  await keyboard.activate(button("Save"));
  await page.getByRole("link", { name: /^Box 7/ }).waitFor();
  await page.getByRole("treeitem", { name: /Folder 1.*Box 7/ }).waitFor();
});

/** What the page of the container says of its circulation. */
const state = (name) =>
  page
    .getByRole("region", { name: "Circulation", exact: true })
    .locator("div", { has: page.getByRole("term").getByText(name, { exact: true }) })
    .getByRole("definition");

/** Goes to the box by the list of containers. */
async function openBox() {
  await keyboard.press("Alt+Shift+V");
  await keyboard.activate(page.getByRole("link", { name: "Top containers", exact: true }));
  await heading("Top containers");
  await keyboard.fill(page.getByRole("searchbox", { name: "Search" }), BARCODE);
  await keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: BARCODE });
  await row.waitFor();
  await keyboard.toRow(row);
  await keyboard.press("Enter");
  await heading(new RegExp(BARCODE), 2);
}

/** Goes to the page by the command palette. */
async function openCirculation() {
  await keyboard.press("F2");
  const field = page.getByRole("searchbox", { name: "Go to a page" });
  await keyboard.to(field);
  await keyboard.type("Circulation of boxes");
  const found = page.getByRole("menuitem", { name: "Circulation of boxes" });
  const id = await found.getAttribute("id");
  await expectEventually(() => field.getAttribute("aria-activedescendant"), id);
  await keyboard.press("Enter");
  await heading("Circulation of boxes");
}

test("the boxes of the repository are let circulate", async () => {
  await openCirculation();
  await button("Let the boxes circulate").waitFor();
  await assertAccessible(page, "boxes that do not circulate");
  await keyboard.choose(page.getByRole("button", { name: /Location/ }), location.name);
  await keyboard.activate(button("Let the boxes circulate"));
  // All boxes of the library become items in one call.
  await button("End the circulation…").waitFor({ timeout: 120_000 });
  await page.getByText("Boxes that circulate").waitFor();
  assert.equal((await archives.read(CIRCULATION())).location_id, location.id);
  await assertAccessible(page, "boxes that circulate");
  await screen(page, "archives-circulation");
});

test("the box is lent for the reading room, and the archives show it", async () => {
  const { userBarcode } = await patronAndItem(library);
  await desk.task("Check out", "Alt+Shift+1");
  await desk.scanPatron(userBarcode);
  await desk.scan(BARCODE);
  // The sample library's rules lend nothing that is for the reading room; the desk does until the evening.
  await desk.expectRow(BARCODE, /not for loan/);
  await keyboard.press("Alt+Shift+3");
  await keyboard.fill(page.getByRole("dialog").getByLabel("Comment"), "Read under supervision");
  await keyboard.press("Enter");
  await desk.expectRow(BARCODE, /Due/);
  await openBox();
  await expectEventually(() => state("Status").textContent(), "Checked out");
  await expectEventually(() => state("Due").textContent(), /\d/);
  await keyboard.activate(page.getByRole("button", { name: /^Why\?/ }));
  const why = page.getByRole("dialog", { name: "Why?" });
  await why.getByRole("list", { name: "Reasons" }).waitFor();
  await keyboard.press("Escape");
  await why.waitFor({ state: "hidden" });
  const lists = page.getByRole("navigation", { name: "Archives" });
  assert.equal(
    await lists.locator("[aria-current]").allTextContents().then(String),
    "Top containers",
  );
  await assertAccessible(page, "a box on loan");
  await screen(page, "archives-box-on-loan");
});

test("the circulation does not end while a box is on loan", async () => {
  await openCirculation();
  await keyboard.activate(button("End the circulation…"));
  const dialog = page.getByRole("dialog");
  await keyboard.activate(dialog.getByRole("button", { name: "End the circulation" }));
  await dialog
    .getByRole("alert")
    .getByText(/is on loan\. Check it in first\./)
    .waitFor();
  await keyboard.press("Escape");
});

test("the box comes back, and the archives show that as well", async () => {
  await desk.task("Check in", "Alt+Shift+2");
  await desk.scan(BARCODE);
  await desk.expectRow(BARCODE, /Available/);
  await openBox();
  await expectEventually(() => state("Status").textContent(), "Available");
  assert.equal(await state("Due").count(), 0);
  await keyboard.activate(page.getByRole("link", { name: "Show the item" }));
  await heading(`Item ${BARCODE}`);
});

test("the boxes circulate no more", async () => {
  await openCirculation();
  await keyboard.activate(button("End the circulation…"));
  await keyboard.activate(
    page.getByRole("dialog").getByRole("button", { name: "End the circulation" }),
  );
  await button("Let the boxes circulate").waitFor();
  await openBox();
  await page.getByRole("region", { name: "Container", exact: true }).waitFor();
  await page.getByRole("region", { name: "Circulation" }).waitFor({ state: "detached" });
});
