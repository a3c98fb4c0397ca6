/** A circulation manager changes a policy and a rule, with a mistake first, by keyboard alone. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible, withoutFrames } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { openLibrary } from "./library.mjs";
import { loseAnswer, saveTwice } from "./lostAnswer.mjs";
import { openStaff, screen } from "./staff.mjs";

let browser;
let page;
let keyboard;

before(async () => {
  browser = await openStaff("/settings");
  page = browser.page;
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const heading = (name) => page.getByRole("heading", { level: 1, name });

describe("a loan policy", () => {
  const name = `Two weeks ${Date.now()}`;

  test("is found in the menu and changed", async () => {
    await page.getByRole("link", { name: "Loan policies" }).waitFor();
    await assertAccessible(page, "the settings");
    await screen(page, "settings");
    await keyboard.activate(page.getByRole("link", { name: "Loan policies" }));
    await heading("Loan policies").waitFor();
    const row = page.getByRole("row").filter({ hasText: "Example Loan Policy" });
    await row.waitFor();
    await assertAccessible(page, "the loan policies");
    await keyboard.toRow(row);
    await keyboard.press("Enter");
    await heading("Example Loan Policy").waitFor();
    await keyboard.activate(page.getByRole("link", { name: "Edit" }));
    await heading("Edit Example Loan Policy").waitFor();
    const period = page.getByRole("group", { name: "Loan period", exact: true });
    await keyboard.fill(period.getByRole("textbox", { name: "Number" }), "45");
    await assertAccessible(page, "the form of a loan policy");
    await screen(page, "settings-loan-policy");
    await keyboard.activate(page.getByRole("button", { name: "Save" }));
    await heading("Example Loan Policy").waitFor();
    await expectEventually(() => page.getByRole("main").textContent(), /Loan period\s*45 days/);
  });

  test("is made, refused without a schedule, and deleted", async () => {
    await page.goto("/settings/loan-policies/new");
    await keyboard.fill(page.getByRole("textbox", { name: "Name" }), name);
    await keyboard.activate(page.getByRole("button", { name: "Save" }));
    assert.equal(await heading("New: loan policy").count(), 1, "the period is missing");
    const period = page.getByRole("group", { name: "Loan period", exact: true });
    await keyboard.fill(period.getByRole("textbox", { name: "Number" }), "2");
    await keyboard.choose(period.getByRole("button"), "weeks");
    const times = page.getByRole("textbox", { name: "Number of renewals" });
    await keyboard.fill(times, "3");
    await keyboard.activate(page.getByRole("button", { name: "Save" }));
    await heading(name).waitFor();
    await keyboard.activate(page.getByRole("button", { name: "Delete" }));
    const dialog = page.getByRole("dialog");
    await keyboard.activate(dialog.getByRole("button", { name: "Delete" }));
    await heading("Loan policies").waitFor();
    await expectEventually(
      async () => String(await page.getByRole("row").filter({ hasText: name }).count()),
      "0",
    );
  });

  test("a name that is taken is refused at its field, and leaving asks first", async () => {
    await page.goto("/settings/request-policies/new");
    const field = page.getByRole("textbox", { name: "Name" });
    await keyboard.fill(field, "Allow All");
    await keyboard.activate(page.getByRole("button", { name: "Save" }));
    await expectEventually(
      () => field.evaluate((input) => input.closest("div").textContent),
      /already exists/,
    );
    await keyboard.activate(page.getByRole("button", { name: "Cancel" }));
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await keyboard.activate(dialog.getByRole("button", { name: "Cancel" }));
    assert.equal(await field.inputValue(), "Allow All");
    await keyboard.activate(page.getByRole("button", { name: "Cancel" }));
    await keyboard.activate(dialog.getByRole("button", { name: "Leave the page" }));
    await heading("Request policies").waitFor();
  });
});

test("a patron group whose answer was lost is made only once", async () => {
  const name = `Visitors ${Date.now()}`;
  await page.goto("/settings/patron-groups/new");
  await keyboard.fill(page.getByRole("textbox", { name: "Group" }), name);
  await loseAnswer(page, "/groups");
  await saveTwice(page, () => keyboard.activate(page.getByRole("button", { name: "Save" })));
  await heading(name).waitFor();
  const { totalRecords } = await (await openLibrary()).get("/groups", `group=="${name}"`, 0);
  assert.equal(totalRecords, 1);
});

test("a patron group in use is not deleted, in words that staff know", async () => {
  const library = await openLibrary();
  const { users } = await library.get("/users", 'active==true and patronGroup=""', 1);
  await page.goto(`/settings/patron-groups/${users[0].patronGroup}`);
  await keyboard.activate(page.getByRole("button", { name: "Delete" }));
  const dialog = page.getByRole("dialog");
  await keyboard.activate(dialog.getByRole("button", { name: "Delete" }));
  await expectEventually(
    () => dialog.getByRole("alert").textContent(),
    "It is in use and cannot be deleted.",
  );
});

test("a location is within the chosen campus, and has one of its service points first", async () => {
  const library = await openLibrary();
  const other = { name: `Harbour College ${Date.now()}`, code: `H${Date.now()}` };
  const institution = await (await library.post("/location-units/institutions", other)).json();
  const harbour = { name: "Harbour Campus", code: other.code, institutionId: institution.id };
  assert.equal((await library.post("/location-units/campuses", harbour)).status, 201);

  await page.goto("/settings/locations/new");
  const choice = (name) => page.getByRole("button", { name });
  const offered = async (name) => {
    await keyboard.activate(choice(name));
    await page.getByRole("option").first().waitFor();
    const texts = await page.getByRole("option").allTextContents();
    await keyboard.press("Escape");
    return texts.join();
  };
  await choice(/Institution/).waitFor();
  await page.getByText("First choose: Institution.").waitFor();
  await keyboard.choose(choice(/Institution/), other.name);
  assert.equal(await offered(/Campus/), "Harbour Campus");
  await keyboard.choose(choice(/Institution/), "Københavns Universitet");
  assert.doesNotMatch(await offered(/Campus/), /Harbour/);
  await keyboard.choose(choice(/Campus/), "Online");
  assert.equal(await offered(/Library/), "Online");
  await keyboard.to(page.getByRole("checkbox", { name: "Circ Desk 2" }));
  await keyboard.press(" ");
  assert.equal(await offered(/Primary service point/), "Circ Desk 2");
});

test("the circulation rules are changed, with a mistake first, shown at its line", async () => {
  await page.goto("/settings/circulation-rules");
  const rules = page.getByRole("textbox", { name: "Circulation rules" });
  await rules.waitFor();
  const before = await rules.inputValue();
  assert.match(before, /^m book$/m, "names stand in place of ids");
  await keyboard.to(rules);
  await keyboard.press("Control+End");
  await keyboard.type("\nm bo");
  await page.getByRole("option", { name: "book" }).waitFor();
  await assertAccessible(page, "the circulation rules");
  await keyboard.press("Enter");
  await keyboard.type(": l One-Hou");
  await keyboard.press("Tab");
  await keyboard.activate(page.getByRole("button", { name: "Save" }));
  const line = before.split("\n").length + 1;
  const alert = page.getByRole("alert").filter({ hasText: `Line ${line}` });
  await expectEventually(() => alert.textContent(), /Must contain one of each policy type/);
  await page.setViewportSize({ width: 1000, height: 640 });
  await screen(page, "settings-rules");
  await page.setViewportSize({ width: 1280, height: 900 });
  const written = await rules.inputValue();
  assert.ok(written.endsWith("\nm book: l One-Hour"), "nothing that was typed is lost");

  await keyboard.press("Control+End");
  const policies = /^fallback-policy: l \S+ (.*)$/m.exec(before)[1];
  await keyboard.type(` ${policies}`);
  await keyboard.press("Escape");
  await keyboard.activate(page.getByRole("button", { name: "Save" }));
  await expectEventually(
    async () => (await page.getByRole("status").allTextContents()).join(" "),
    /rules are saved/,
  );
  await page.reload();
  await expectEventually(() => rules.inputValue(), new RegExp(`m book: l One-Hour ${policies}$`));
});

for (const [path, name] of [
  ["calendars", "Calendars"],
  ["service-points", "Service points"],
  ["locations", "Locations"],
  ["staff-slips", "Staff slips"],
  ["patron-block-limits", "Limits of patron blocks"],
]) {
  test(`${name.toLowerCase()} are listed, shown and opened for editing`, async () => {
    await page.goto(`/settings/${path}`);
    await heading(name).waitFor();
    // Not the line that says that the rows are loading.
    await keyboard.toRow(page.getByRole("row").filter({ hasNotText: "Loading…" }).nth(1));
    await keyboard.press("Enter");
    await keyboard.activate(page.getByRole("link", { name: "Edit" }));
    await page.getByRole("button", { name: "Save" }).waitFor();
    if (path !== "locations") await screen(page, `settings-${path}`);
    await withoutFrames(page);
    await assertAccessible(page, `the form of ${name}`);
  });
}
