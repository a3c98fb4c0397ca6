/** A calendar is made by keyboard: its week, an exception, the service points. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { openLibrary } from "./library.mjs";
import { loseAnswer, saveTwice } from "./lostAnswer.mjs";
import { openStaff, screen } from "./staff.mjs";

const NAME = `Winter ${Date.now().toString(36)}`;
/** A service point of its own, whose calendars cannot overlap with those of other tests. */
const PLACE = `Reading room ${Date.now().toString(36)}`;

let browser;
let library;
let page;
let servicePoint;

before(async () => {
  library = await openLibrary();
  const answer = await library.post("/service-points", {
    ...{ name: PLACE, code: PLACE, discoveryDisplayName: PLACE },
  });
  assert.equal(answer.status, 201);
  servicePoint = await answer.json();
  browser = await openStaff("/settings/calendars/new");
  page = browser.page;
});

after(() => browser?.close());

const made = async () => {
  const { calendars } = await library.read(`/calendar/calendars?servicePointId=${servicePoint.id}`);
  return calendars[0];
};

/** The field in focus, by its label. */
const typeDate = async (group, digits) => {
  await page.getByRole("group", { name: group }).first().getByRole("spinbutton").first().focus();
  await page.keyboard.type(digits);
};

const press = async (button) => {
  await button.focus();
  await page.keyboard.press("Enter");
};

/** A time as the browser's own field takes it from the keyboard. */
const typeTime = async (field, digits) => {
  await field.focus();
  await page.keyboard.type(digits);
};

test("is made with its week, an exception and a service point", async () => {
  await page.getByRole("textbox", { name: "Name" }).focus();
  await page.keyboard.type(NAME);
  await typeDate("First day", "01012027");
  await typeDate("Last day", "03312027");
  await page.getByRole("checkbox", { name: PLACE }).focus();
  await page.keyboard.press(" ");

  await press(page.getByRole("button", { name: "Add an opening on Monday" }));
  const monday = page.getByRole("group", { name: "Monday", exact: true }).last();
  await typeTime(monday.getByLabel("From", { exact: true }), "0830AM");
  await typeTime(monday.getByLabel("To", { exact: true }), "0600PM");
  await press(page.getByRole("button", { name: "Tuesday as on Monday" }));
  await press(page.getByRole("button", { name: "Wednesday as on Tuesday" }));

  await press(page.getByRole("button", { name: "Add an exception" }));
  await page.keyboard.type("Inventory");
  const exception = page.getByRole("group", { name: "Inventory", exact: true });
  for (const which of ["First day", "Last day"]) {
    await exception.getByRole("group", { name: which }).getByRole("spinbutton").first().focus();
    await page.keyboard.type("02032027");
  }
  await screen(page, "settings-calendar-edit");
  await assertAccessible(page, "the form of a calendar");
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("heading", { level: 1, name: NAME }).waitFor();

  const calendar = await made();
  const days = calendar.normalHours.map(({ startDay, startTime, endTime }) => [
    ...[startDay, startTime, endTime],
  ]);
  assert.deepEqual(days, [
    ["MONDAY", "08:30:00", "18:00:00"],
    ["TUESDAY", "08:30:00", "18:00:00"],
    ["WEDNESDAY", "08:30:00", "18:00:00"],
  ]);
  assert.deepEqual(calendar.exceptions, [
    { name: "Inventory", startDate: "2027-02-03", endDate: "2027-02-03", openings: [] },
  ]);
});

test("whose answer was lost is made only once, as it is in the form at last", async () => {
  const name = `Reading room ${Date.now()}`;
  const other = await browser.context.newPage();
  await other.goto("/settings/calendars/new");
  await other.getByRole("textbox", { name: "Name" }).fill(name);
  const setDate = async (group, digits) => {
    await other.getByRole("group", { name: group }).first().getByRole("spinbutton").first().focus();
    await other.keyboard.type(digits);
  };
  await setDate("First day", "04012027");
  await setDate("Last day", "06302027");
  await loseAnswer(other, "/calendar/calendars");
  const save = other.getByRole("button", { name: "Save" });
  await saveTwice(other, async () => {
    // What was changed after the lost answer counts.
    if (await other.getByText("The server does not answer").isVisible())
      await setDate("Last day", "07312027");
    await save.press("Enter");
  });
  await other.getByRole("heading", { level: 1, name }).waitFor();
  const { calendars } = await library.read("/calendar/calendars?limit=10000");
  const ends = calendars.filter((calendar) => calendar.name === name).map(({ endDate }) => endDate);
  assert.deepEqual(ends, ["2027-07-31"]);
  await other.close();
});

test("shows runs of days, and takes other hours for the exception", async () => {
  const text = () => page.getByRole("main").textContent();
  await expectEventually(text, /Monday–Wednesday: 08:30–18:00/);
  await expectEventually(text, /Thursday–Sunday: closed/);
  await expectEventually(text, /Inventory: Feb 3, 2027: closed/);
  await screen(page, "settings-calendar");
  await press(page.getByRole("link", { name: "Edit" }));
  const exception = page.getByRole("group", { name: "Inventory", exact: true });
  await exception.getByRole("button", { name: /On these days/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "open at other hours" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const hours = exception.getByRole("group", { name: "Inventory, opening 1" });
  await typeTime(hours.getByLabel("From", { exact: true }), "0100PM");
  await typeTime(hours.getByLabel("To", { exact: true }), "0500PM");
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
  await expectEventually(text, /Inventory: Feb 3, 2027: 13:00–17:00/);
  const { exceptions } = await made();
  assert.deepEqual(exceptions[0].openings, [
    {
      ...{ startDate: "2027-02-03", startTime: "13:00:00" },
      ...{ endDate: "2027-02-03", endTime: "17:00:00" },
    },
  ]);
});
