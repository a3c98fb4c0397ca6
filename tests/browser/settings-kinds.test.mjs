/** A circulation manager makes, changes and deletes one of each kind of settings, by keyboard alone. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary } from "./library.mjs";
import { openStaff } from "./staff.mjs";

const RUN = Date.now().toString(36).slice(-5);

let browser;
let page;
let keyboard;
let library;

before(async () => {
  library = await openLibrary();
  browser = await openStaff("/settings");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const nameOf = (one) => `${one} ${RUN}`;
const exactly = (role, name) => page.getByRole(role, { name, exact: true });
const heading = (name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const row = (name) => page.getByRole("row").filter({ hasText: name });

const text = (label, value) => () => keyboard.fill(exactly("textbox", label), value);
const name = (one) => text("Name", nameOf(one));
const code = (one) => text("Code", `${one}-${RUN}`);

/** A few choices open with a button, many are typed; how many there are depends on the library. */
const choose = (label, option) => async () => {
  const combo = exactly("combobox", label);
  const button = page.getByRole("button", { name: label });
  await combo.or(button).first().waitFor();
  if (await combo.count()) await keyboard.find(combo, option);
  else await keyboard.choose(button, option);
};

const tick = (label) => async () => {
  await keyboard.to(exactly("checkbox", label));
  await keyboard.press("Space");
};

/** A number with a unit. */
const period = (label, number, unit) => async () => {
  const group = exactly("group", label);
  await keyboard.fill(group.getByRole("textbox"), number);
  await keyboard.choose(group.getByRole("button", { name: /Unit|For each/ }), unit);
};

const typed = (label, value) => async () => {
  await keyboard.to(exactly("group", label).getByRole("spinbutton").first());
  await keyboard.type(value);
};

const press = (name) => () => keyboard.activate(exactly("button", name));

/**
 * `fill` makes the record and `stored` says what the server has then; `change` is made to it afterwards, and `changed` says
 * what the server has after that. What is used by those below it (`isUsed`) is deleted at the end, the others at once.
 */
const KINDS = [
  {
    ...{ title: "Institutions", one: "institution", path: "/location-units/institutions" },
    isUsed: true,
    fill: [name("institution"), code("inst")],
    stored: { name: nameOf("institution"), code: `inst-${RUN}` },
    change: code("institution"),
    changed: { code: `institution-${RUN}` },
  },
  {
    ...{ title: "Campuses", one: "campus", path: "/location-units/campuses" },
    isUsed: true,
    fill: [name("campus"), code("camp"), choose("Institution", nameOf("institution"))],
    stored: { name: nameOf("campus"), code: `camp-${RUN}`, institutionId: "institution" },
    change: code("campus"),
    changed: { code: `campus-${RUN}` },
  },
  {
    ...{ title: "Libraries", one: "library", path: "/location-units/libraries" },
    isUsed: true,
    fill: [name("library"), code("lib"), choose("Campus", nameOf("campus"))],
    stored: { name: nameOf("library"), code: `lib-${RUN}`, campusId: "campus" },
    change: code("library"),
    changed: { code: `library-${RUN}` },
  },
  {
    ...{ title: "Service points", one: "service point", path: "/service-points" },
    isUsed: true,
    fill: [
      ...[name("service point"), code("desk"), text("Name for patrons", "At the quay")],
      tick("Requested items are picked up here"),
      period("Time on the hold shelf", "6", "days"),
    ],
    stored: {
      ...{ name: nameOf("service point"), pickupLocation: true },
      holdShelfExpiryPeriod: { duration: 6, intervalId: "Days" },
    },
    change: text("Minutes until a returned item is on the shelf", "25"),
    changed: { shelvingLagTime: 25 },
  },
  {
    ...{ title: "Locations", one: "location", path: "/locations" },
    fill: [
      ...[name("location"), code("loc")],
      choose("Institution", nameOf("institution")),
      choose("Campus", nameOf("campus")),
      choose("Library", nameOf("library")),
      tick(nameOf("service point")),
      choose("Primary service point", nameOf("service point")),
    ],
    stored: {
      ...{ name: nameOf("location"), isActive: true, libraryId: "library" },
      primaryServicePoint: "service point",
    },
    change: text("Description", "By the window"),
    changed: { description: "By the window" },
  },
  {
    ...{ title: "Patron groups", one: "patron group", path: "/groups" },
    isUsed: true,
    fill: [
      text("Group", nameOf("patron group")),
      text("Description", "Who row"),
      text("Days until accounts expire", "90"),
    ],
    stored: { group: nameOf("patron group"), desc: "Who row", expirationOffsetInDays: 90 },
    change: text("Days until accounts expire", "120"),
    changed: { expirationOffsetInDays: 120 },
  },
  {
    ...{ title: "Limits of patron blocks", one: "limit", path: "/patron-block-limits" },
    // It has no name of its own: its group is told.
    heading: nameOf("patron group"),
    fill: [
      choose("Patron group", nameOf("patron group")),
      choose("Condition", "Maximum number of items charged out"),
      text("Limit", "7"),
    ],
    stored: { patronGroupId: "patron group", value: 7 },
    change: text("Limit", "9"),
    changed: { value: 9 },
  },
  {
    ...{ title: "Loan types", one: "loan type", path: "/loan-types" },
    fill: [name("loan type of old")],
    stored: { name: nameOf("loan type of old") },
    change: name("loan type"),
    changed: { name: nameOf("loan type") },
  },
  {
    ...{ title: "Material types", one: "material type", path: "/material-types" },
    fill: [name("material type of old")],
    stored: { name: nameOf("material type of old"), source: "local" },
    change: name("material type"),
    changed: { name: nameOf("material type") },
  },
  {
    title: "Cancellation reasons",
    one: "cancellation reason",
    path: "/cancellation-reason-storage/cancellation-reasons",
    fill: [name("cancellation reason"), tick("A comment is required")],
    stored: { name: nameOf("cancellation reason"), requiresAdditionalInformation: true },
    change: text("Description for patrons", "We are sorry."),
    changed: { publicDescription: "We are sorry." },
  },
  {
    ...{ title: "Staff slips", one: "staff slip", path: "/staff-slips-storage/staff-slips" },
    fill: [name("staff slip"), text("Text", "<p>For the shelf</p>")],
    stored: { name: nameOf("staff slip"), active: true, template: "<p>For the shelf</p>" },
    change: async () => {
      await keyboard.to(exactly("textbox", "Text"));
      await keyboard.press("Control+End");
      await keyboard.find(exactly("combobox", "Insert a token"), "item.barcode");
      await keyboard.type(" by hand");
    },
    changed: { template: "<p>For the shelf</p>{{item.barcode}} by hand" },
  },
  {
    ...{ title: "Notice templates", one: "notice template", path: "/templates" },
    isUsed: true,
    fill: [
      ...[name("notice template"), choose("Category", "Loan"), text("Subject", "Your loan")],
      text("Text", "<p>It is due.</p>"),
    ],
    stored: {
      ...{ name: nameOf("notice template"), category: "Loan" },
      localizedTemplates: { en: { header: "Your loan", body: "<p>It is due.</p>" } },
    },
    change: text("Subject", "Your book"),
    changed: { localizedTemplates: { en: { header: "Your book", body: "<p>It is due.</p>" } } },
  },
  {
    title: "Notice policies",
    one: "notice policy",
    path: "/patron-notice-policy-storage/patron-notice-policies",
    fill: [
      ...[name("notice policy"), press("Add notice")],
      choose("Template", nameOf("notice template")),
    ],
    stored: { name: nameOf("notice policy"), active: true },
    change: text("Description", "A letter for each loan"),
    changed: { description: "A letter for each loan" },
  },
  {
    title: "Request policies",
    one: "request policy",
    path: "/request-policy-storage/request-policies",
    fill: [name("request policy"), tick("Hold")],
    stored: { name: nameOf("request policy"), requestTypes: ["Hold"] },
    change: tick("Page"),
    changed: { requestTypes: ["Hold", "Page"] },
  },
  {
    ...{ title: "Overdue fine policies", one: "overdue fine policy" },
    path: "/overdue-fines-policies",
    fill: [name("overdue fine policy"), text("Highest fine", "12.50")],
    stored: { name: nameOf("overdue fine policy"), maxOverdueFine: 12.5 },
    change: tick("No fine if the item is renewed"),
    changed: { forgiveOverdueFine: true },
  },
  {
    ...{ title: "Lost item policies", one: "lost item policy", path: "/lost-item-fees-policies" },
    fill: [name("lost item policy"), period("Overdue items are lost after", "6", "weeks")],
    stored: {
      name: nameOf("lost item policy"),
      itemAgedLostOverdue: { duration: 6, intervalId: "Weeks" },
    },
    change: text("Processing fee", "3.50"),
    changed: { lostItemProcessingFee: 3.5 },
  },
  {
    ...{ title: "Fixed due date schedules", one: "schedule" },
    path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
    fill: [
      ...[name("schedule"), press("Add range")],
      ...[typed("Lent from", "01012031"), typed("Lent until", "06302031")],
      typed("Due on", "07152031"),
    ],
    stored: { name: nameOf("schedule") },
    change: text("Description", "The spring"),
    changed: { description: "The spring" },
  },
];

/** The ids of what was made, by what it is. */
const made = new Map();

/** Goes to the list of a kind by the menu. */
async function openList(title) {
  await keyboard.press("Alt+Shift+S");
  await heading("Settings");
  await keyboard.activate(exactly("link", title));
  await heading(title);
}

const save = () => keyboard.activate(exactly("button", "Save"));

async function expectStored(path, id, wanted) {
  const record = await library.read(`${path}/${id}`);
  const stored = Object.fromEntries(Object.keys(wanted).map((member) => [member, record[member]]));
  // What was made before is referred to by what it is.
  const expected = Object.entries(wanted).map(([member, value]) => [
    member,
    made.get(value) ?? value,
  ]);
  assert.deepEqual(stored, Object.fromEntries(expected));
}

async function remove({ title, one, path }) {
  await keyboard.activate(exactly("button", "Delete"));
  await keyboard.activate(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
  await heading(title);
  const { totalRecords } = await library.get(path, `id=="${made.get(one)}"`, 0);
  assert.equal(totalRecords, 0);
}

describe("of each kind of settings, one", () => {
  for (const kind of KINDS) {
    const { title, one, path, isUsed, fill, stored, change, changed } = kind;
    test(`is made and changed${isUsed ? "" : ", and deleted"}: ${one}`, async () => {
      await openList(title);
      await keyboard.activate(exactly("link", `Add: ${one}`));
      await heading(`New: ${one}`);
      for (const step of fill) await step();
      await save();
      const edit = exactly("link", "Edit");
      await edit.waitFor();
      const id = page.url().split("/").pop();
      made.set(one, id);
      await expectStored(path, id, stored);
      await keyboard.activate(edit);
      await exactly("button", "Save").waitFor();
      await change();
      await save();
      await edit.waitFor();
      await heading(kind.heading ?? nameOf(one));
      await expectStored(path, id, changed);
      if (!isUsed) await remove(kind);
    });
  }

  for (const kind of KINDS.filter(({ isUsed }) => isUsed).toReversed()) {
    test(`is found in its list and deleted: ${kind.one}`, async () => {
      const found = row(nameOf(kind.one));
      await openList(kind.title);
      await keyboard.toRow(found);
      await keyboard.press("Enter");
      await heading(nameOf(kind.one));
      await remove(kind);
      await found.waitFor({ state: "detached" });
    });
  }
});

test("a condition of patron blocks gets another message, and cannot be deleted", async () => {
  const path = "/patron-block-conditions";
  const condition = "Maximum number of overdue recalls";
  const [before] = (await library.get(path, `name=="${condition}"`, 1)).patronBlockConditions;
  try {
    await openList("Conditions of patron blocks");
    assert.equal(await page.getByRole("link", { name: /^Add/ }).count(), 0);
    await keyboard.toRow(row(condition));
    await keyboard.press("Enter");
    await heading(condition);
    assert.equal(await exactly("button", "Delete").count(), 0);
    await keyboard.activate(exactly("link", "Edit"));
    await text("Message to be displayed", `Bring them back ${RUN}`)();
    if (!before.blockRequests) await tick("Blocks requests")();
    await save();
    await exactly("link", "Edit").waitFor();
    const stored = await library.read(`${path}/${before.id}`);
    assert.deepEqual([stored.message, stored.blockRequests], [`Bring them back ${RUN}`, true]);
  } finally {
    await library.put(`${path}/${before.id}`, before);
  }
});
