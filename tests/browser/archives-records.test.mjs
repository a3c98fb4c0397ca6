/** An archivist makes, describes and deletes one of each kind of record, and prints a finding aid, by keyboard alone. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { findingAid, found, imported, openArchives, pageOf } from "./archives.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openStaff } from "./staff.mjs";

const RUN = Date.now().toString(36);

let archives;
let browser;
let page;
let keyboard;

before(async () => {
  archives = await openArchives();
  // The first search of a library has its index made, which takes its time on a busy machine.
  await found(archives, "page_size=1&type[]=resource");
  browser = await openStaff("/archives");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const exactly = (role, name) => page.getByRole(role, { name, exact: true });
const dialog = () => page.getByRole("dialog");
const heading = (name) => page.getByRole("heading", { name, level: 1 }).waitFor();

/** `fields` are asked for by the dialog, in the form `change` is made; `title` begins what the page is called then. */
const KINDS = [
  {
    ...{ list: "Accessions", add: "New accession…", title: `Gift of a printer ${RUN}` },
    fields: {
      ...{ Title: `Gift of a printer ${RUN}`, Identifier: `gift-${RUN}` },
      "Date received": "2026-11-24",
    },
    stored: { id_0: `gift-${RUN}`, accession_date: "2026-11-24" },
    change: ["Content", "Letters and type."],
    changed: { content_description: "Letters and type." },
  },
  {
    ...{ list: "Digital objects", add: "New digital object…", title: `Scan of a ledger ${RUN}` },
    fields: { Title: `Scan of a ledger ${RUN}`, Identifier: `scan-${RUN}` },
    stored: { title: `Scan of a ledger ${RUN}`, digital_object_id: `scan-${RUN}` },
    change: ["Title", `Scan of a ledger ${RUN}, in colour`],
    changed: { title: `Scan of a ledger ${RUN}, in colour` },
  },
  {
    ...{ list: "Agents", add: "New person…", title: `Typesetter${RUN}, Ada` },
    fields: { "Family name": `Typesetter${RUN}`, "Rest of the name": "Ada", Dates: "1850-1919" },
    stored: { title: `Typesetter${RUN}, Ada, 1850-1919`, jsonmodel_type: "agent_person" },
    change: ["Dates", "1850-1920"],
    changed: { title: `Typesetter${RUN}, Ada, 1850-1920` },
  },
  {
    ...{ list: "Agents", add: "New family…", title: `Printers${RUN}` },
    fields: { "Family name": `Printers${RUN}` },
    stored: { title: `Printers${RUN}`, jsonmodel_type: "agent_family" },
    change: ["Dates", "1850-1920"],
    changed: { title: `Printers${RUN} (1850-1920)` },
  },
  {
    ...{ list: "Agents", add: "New corporate body…", title: `Press${RUN}. Bindery` },
    fields: { Name: `Press${RUN}`, "Subordinate name": "Bindery" },
    stored: { title: `Press${RUN}. Bindery`, jsonmodel_type: "agent_corporate_entity" },
    change: ["Number", "2"],
    changed: { jsonmodel_type: "agent_corporate_entity" },
  },
  {
    ...{ list: "Subjects", add: "New subject…", title: `Lithography ${RUN}` },
    fields: { Term: `Lithography ${RUN}` },
    stored: { title: `Lithography ${RUN}`, source: "local" },
    change: ["Scope note", "Printing from stone."],
    changed: { scope_note: "Printing from stone." },
  },
  {
    ...{ list: "Top containers", add: "New top container…", title: "Box 77" },
    fields: { Indicator: "77", Barcode: `BOX${RUN}` },
    stored: { type: "box", indicator: "77", barcode: `BOX${RUN}` },
    change: ["Internal note", "The lid is loose."],
    changed: { internal_note: "The lid is loose." },
  },
  {
    ...{ list: "Resources", add: "New resource…", title: `Records of a press ${RUN}` },
    fields: {
      ...{ Title: `Records of a press ${RUN}`, Identifier: `press-${RUN}`, Date: "1900-1950" },
      "Extent: number": "12",
    },
    stored: { title: `Records of a press ${RUN}`, id_0: `press-${RUN}`, level: "collection" },
    change: ["Title", `Records of a press ${RUN}, with proofs`],
    changed: { title: `Records of a press ${RUN}, with proofs` },
  },
];

/** The address that the API has for the record of the page; agents and subjects are of no repository. */
const addressOf = (url) =>
  new URL(url).pathname
    .replace("/archives/", "/repositories/")
    .replace(/^.*(?=\/(agents|subjects)\/)/, "");

async function expectStored(uri, wanted) {
  const record = await archives.read(uri);
  const members = Object.keys(wanted).map((member) => [member, record[member]]);
  assert.deepEqual(Object.fromEntries(members), wanted);
}

describe("of each kind of record, one", () => {
  for (const { list, add, title, fields, stored, change, changed } of KINDS) {
    test(`is made, changed and deleted: ${list}`, async () => {
      await keyboard.press("Alt+Shift+V");
      await keyboard.activate(exactly("link", list));
      await heading(list);
      await keyboard.activate(exactly("button", add));
      for (const [label, text] of Object.entries(fields)) {
        await keyboard.fill(dialog().getByRole("textbox", { name: label, exact: true }), text);
      }
      await keyboard.activate(dialog().getByRole("button", { name: "Add", exact: true }));
      await heading(new RegExp(`^${title}`));
      const uri = addressOf(page.url());
      await expectStored(uri, stored);

      await keyboard.activate(exactly("button", "Edit"));
      const [label, text] = change;
      await keyboard.fill(exactly("textbox", label).first(), text);
      await keyboard.activate(exactly("button", "Save"));
      await exactly("button", "Edit").waitFor();
      await expectStored(uri, changed);

      await keyboard.activate(exactly("button", "More"));
      await keyboard.activate(page.getByRole("menuitem", { name: "Delete…" }), "ArrowDown");
      await keyboard.activate(dialog().getByRole("button", { name: "Delete" }));
      await dialog().waitFor({ state: "hidden" });
      await assert.rejects(archives.read(uri), /404|Not Found/i);
    });
  }
});

test("a finding aid is printed by a job, and its file is fetched", async () => {
  const title = `Papers of a paper mill ${RUN}`;
  const aid = findingAid({ id: `mill-${RUN}`, title, files: 4, series: 2 });
  await page.goto(pageOf(await imported(archives, aid)));
  await heading(title);
  await keyboard.activate(exactly("button", "Export"));
  await keyboard.activate(exactly("menuitem", "PDF"), "ArrowDown");
  const downloading = page.waitForEvent("download");
  await keyboard.activate(exactly("button", "Download the file"));
  const download = await downloading;
  assert.match(download.suggestedFilename(), /\.pdf$/);
  const file = await readFile(await download.path());
  assert.equal(file.subarray(0, 5).toString(), "%PDF-");
  const job = await archives.read(addressOf(page.url()));
  assert.deepEqual([job.status, job.job_type], ["completed", "print_to_pdf_job"]);

  await keyboard.activate(exactly("link", "Imports and jobs"));
  const row = page.getByRole("row").filter({ hasText: title }).first();
  await keyboard.toRow(row);
  await keyboard.press("Enter");
  await expectEventually(async () => addressOf(page.url()), job.uri);
});
