/** An archivist's new collection: from a finding aid to a box in its place. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { findingAid, found, openArchives } from "./archives.mjs";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { openStaff, screen } from "./staff.mjs";

/** A server that was tested before has the collection of that time. */
const RUN = Date.now().toString(36);
const TITLE = `Harlan family papers ${RUN}`;
const BARCODE = `HARLAN${RUN}`;
const AID = findingAid({ id: `harlan-${RUN}`, title: TITLE, files: 12, series: 2 });

let archives;
let browser;
let page;

before(async () => {
  archives = await openArchives();
  // The first search of a library has its index made, which takes its time on a busy machine.
  await found(archives, "page_size=1&type[]=resource");
  browser = await openStaff("/archives");
  page = browser.page;
});

after(() => browser?.close());

const choose = async (field, option) => {
  const combo = page.getByRole("combobox", { name: field });
  await combo.focus();
  // Scrolling closes lists, and the page hears of it with its next frame.
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
  await combo.fill(option);
  await page.getByRole("option", { name: option }).first().click();
};

describe("a new collection", () => {
  test("comes from a finding aid, with its progress and log", async () => {
    await page.getByRole("heading", { name: "Resources", level: 1 }).waitFor();
    await page.getByRole("row").nth(3).waitFor();
    await screen(page, "archives-resources");
    await assertAccessible(page, "the list of resources");
    await page.getByRole("button", { name: "Import a finding aid…" }).click();
    await page.getByRole("heading", { name: "Import", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("alert").getByText("Choose the files to import first.").waitFor();
    await assertAccessible(page, "the import");
    const file = { name: "harlan.xml", mimeType: "application/xml", buffer: Buffer.from(AID) };
    await page.getByLabel("Files", { exact: true }).and(page.locator("input")).setInputFiles(file);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "harlan.xml", level: 1 }).waitFor();
    await page.getByText("15 records made or changed.").waitFor();
    await page.getByText("15 records saved").waitFor();
    await screen(page, "archives-import");
    await assertAccessible(page, "a job");
    await page.getByRole("link", { name: /^Open resource/ }).click();
    await page.getByRole("heading", { name: TITLE, level: 1 }).waitFor();
  });

  test("a file that was overlooked is added below its series", async () => {
    const tree = page.getByRole("tree");
    await tree.getByRole("treeitem", { name: /^Series 1/ }).click();
    await page.getByRole("heading", { name: "Series 1", level: 2 }).waitFor();
    await page.getByRole("button", { name: "Add below…" }).click();
    await page.getByLabel("Title").fill("Letters from the war");
    await page.getByLabel("Date").fill("1917-1918");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Letters from the war/, level: 2 }).waitFor();
    await tree.getByRole("treeitem", { name: /Letters from the war/ }).waitFor();
  });

  test("it gets a note, and a box that is new", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Component identifier").fill("1.7");
    await choose("Add a note of the type", "Scope and contents");
    await page.getByLabel("Text", { exact: true }).fill("Written from the field hospital.");
    await page.getByRole("button", { name: "New top container…" }).click();
    await page.getByLabel("Indicator", { exact: true }).fill("41");
    await page.getByLabel("Barcode").fill(BARCODE);
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Container 1" }).getByText("Box 41").waitFor();
    await assertAccessible(page, "a record that is edited");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: /^Box 41/ }).waitFor();
    await page.getByText("Written from the field hospital.").waitFor();
    await page.getByRole("treeitem", { name: /Letters from the war.*Box 41/ }).waitFor();
    await screen(page, "archives-record");
  });

  test("the box has its place", async () => {
    await page.getByRole("link", { name: /^Box 41/ }).click();
    await page.getByRole("heading", { name: /^Box 41/, level: 1 }).waitFor();
    await page.getByRole("link", { name: TITLE }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("combobox", { name: "Location now" });
    await field.click();
    await page.getByRole("option").first().waitFor();
    const place = await page.getByRole("option").first().textContent();
    await page.getByRole("option").first().click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await page.getByText(place, { exact: true }).waitFor();
    await assertAccessible(page, "a top container");
    const { results } = await archives.read(
      `${archives.repository}/search?page=1&type[]=top_container&q=${BARCODE}`,
    );
    assert.equal(JSON.parse(results[0].json).container_locations[0].status, "current");
  });

  test("two who edit one record lose nothing", async () => {
    await page.getByRole("link", { name: TITLE }).click();
    await page.getByRole("heading", { name: TITLE, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Harlan family letters");
    const uri = new URL(page.url()).pathname.replace("/archives/", "/repositories/");
    const record = await archives.read(uri);
    await archives.send(uri, { ...record, repository_processing_note: "Mould in box 2" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/Somebody else has changed this record/).waitFor();
    await page.getByRole("button", { name: /^Read it again/ }).click();
    await page.getByText(/with your changes on top/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    const saved = await archives.read(uri);
    assert.equal(saved.title, "Harlan family letters");
    assert.equal(saved.repository_processing_note, "Mould in box 2");
  });

  test("it goes out as EAD, by a job that tells how far it is", async () => {
    const resource = page.url();
    const jobs = "**/jobs/*";
    // The job of a large collection, a moment after its start.
    await page.route(jobs, async (route) => {
      const response = await route.fetch();
      const progress = { read: 0, written: 25_000, total: 100_000 };
      await route.fulfill({
        response,
        json: { ...(await response.json()), status: "running", progress },
      });
    });
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "EAD 2002, also what is not published" }).click();
    await page.getByRole("heading", { name: "Harlan family letters", level: 1 }).waitFor();
    const bar = page.getByRole("progressbar", { name: "25,000 of 100,000 records are written." });
    assert.equal(await bar.getAttribute("aria-valuenow"), "25");
    await page.getByRole("button", { name: "Cancel the job" }).waitFor();
    await assertAccessible(page, "a job under way");
    await page.unroute(jobs);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the file" }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /\.xml$/);
    const text = await readFile(await download.path(), "utf8");
    assert.ok(text.includes("Letters from the war"), "the new component is in the file");
    assert.ok(text.includes("Harlan family letters"), "the new title is in the file");
    await page.goto(resource);
  });

  test("whoever may start no jobs gets it at once, and can stop it", async () => {
    const user = "**/users/current-user*";
    await page.route(user, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"create_job"', '"read_only"');
      await route.fulfill({ response, body: text });
    });
    await page.reload();
    const files = "**/resource_descriptions/**";
    // The server does not answer.
    await page.route(files, () => undefined);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByText("You may not start jobs here.").first().waitFor();
    await page.getByRole("menuitem", { name: "EAD3" }).click();
    await page.getByText(/^Exporting/).waitFor();
    await page.getByRole("button", { name: "Stop" }).press("Enter");
    await page.getByText(/^Exporting/).waitFor({ state: "hidden" });
    assert.equal(await page.getByText("The export failed.").count(), 0);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await expectEventually(focused, /^Export/);
    await page.unroute(files);
    await page.getByRole("button", { name: "Export" }).click();
    const downloading = page.waitForEvent("download");
    // The page can be left meanwhile.
    let leave;
    const left = new Promise((resolve) => {
      leave = resolve;
    });
    await page.route(files, (route) => left.then(() => route.continue()));
    const resource = page.url();
    await page.getByRole("menuitem", { name: "EAD3" }).click();
    await page.getByText(/^Exporting/).waitFor();
    await page.getByRole("link", { name: "Import", exact: false }).first().click();
    await page.getByRole("heading", { name: "Imports and jobs", level: 1 }).waitFor();
    leave();
    const text = await readFile(await (await downloading).path(), "utf8");
    assert.ok(text.includes("http://ead3.archivists.org/schema/"));
    await page.unroute(files);
    await page.unroute(user);
    await page.goto(resource);
  });

  test("as a whole it can be read on a narrow screen", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = () =>
      page.evaluate(() => String(document.documentElement.scrollWidth <= window.innerWidth));
    await expectEventually(overflow, "true");
    await assertAccessible(page, "a resource on a narrow screen");
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe("agents and subjects", () => {
  test("are found by a facet, opened and edited", async () => {
    await page.goto("/archives?kind=subjects");
    await page.getByRole("heading", { name: "Subjects", level: 1 }).waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("astronomy");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Astronomy/ }).click();
    await page.getByRole("heading", { name: "Astronomy", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Scope note").fill("Stars and planets.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Stars and planets.").waitFor();
    await assertAccessible(page, "a subject");

    await page.goto("/archives?kind=agents");
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    await page.getByRole("checkbox", { name: /^Family/ }).click({ force: true });
    await page
      .getByRole("row", { name: /family/i })
      .first()
      .waitFor();
    await page.getByRole("row").nth(1).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Dates").fill("1800-1900");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await assertAccessible(page, "an agent");
  });
});
