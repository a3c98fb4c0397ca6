/** An archivist's new collection, by keyboard alone: from a finding aid to a box with a barcode. */
import { after, before, test } from "node:test";
import { findingAid } from "./archives.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openStaff } from "./staff.mjs";

const RUN = Date.now().toString(36);
const TITLE = `Papers of the harbour office ${RUN}`;
const BARCODE = `HARBOUR${RUN}`.toUpperCase();

let browser;
let page;
let keyboard;

before(async () => {
  browser = await openStaff("/archives");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

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
