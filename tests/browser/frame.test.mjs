/** What is the same on every page: areas, language, colours, spacing, commands and shortcuts. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { openLibrary } from "./library.mjs";
import { openStaff, screen } from "./staff.mjs";

const SERVICE_POINT = "Circ Desk 1";

let browser;
let page;

before(async () => {
  browser = await openStaff("/check-out", { servicePoint: SERVICE_POINT });
  page = browser.page;
});

after(() => browser?.close());

const attribute = (name) => page.evaluate((name) => document.documentElement.dataset[name], name);

async function choose(name) {
  await page.getByRole("button", { name: /diku_admin/ }).click();
  await page.getByRole("menuitemradio", { name }).click();
  await page.keyboard.press("Escape");
}

describe("the areas", () => {
  test("are links with shortcuts", async () => {
    const desk = page
      .getByRole("navigation", { name: "Areas" })
      .getByRole("link", { name: "Desk" });
    assert.equal(await desk.getAttribute("aria-keyshortcuts"), "Alt+Shift+D");
    await page.keyboard.press("Alt+Shift+6");
    await page.getByRole("heading", { name: "Slips", level: 1 }).waitFor();
    await page.keyboard.press("Alt+Shift+D");
    await page.getByRole("heading", { name: "Check out", level: 1 }).waitFor();
  });

  test("are behind one button on a narrow screen, and nothing is cut off", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const areas = page.getByRole("navigation", { name: "Areas" });
    assert.equal(await areas.isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Check in" }).waitFor();
    await assertAccessible(page, "the narrow menu");
    await page.getByRole("link", { name: "Check in" }).click();
    await page.getByRole("heading", { name: "Check in", level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await screen(page, "desk-narrow");
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe("the look", () => {
  test("can be dark or light whatever the system says, and is kept", async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await choose("Dark");
    await expectEventually(() => attribute("theme"), "dark");
    assert.notEqual(await background(), light);
    await page.reload();
    await page.getByRole("heading", { name: "Check in", level: 1 }).waitFor();
    assert.notEqual(await background(), light);
    await screen(page, "desk-dark");
    await choose("As the system");
    await expectEventually(background, light);
  });

  test("can be compact", async () => {
    const height = () =>
      page.getByRole("button", { name: "Enter" }).evaluate((button) => button.offsetHeight);
    const comfortable = await height();
    await choose("Compact");
    await expectEventually(() => attribute("density"), "compact");
    assert.ok((await height()) <= comfortable);
    await choose("Comfortable");
    await expectEventually(() => attribute("density"), "comfortable");
  });
});

describe("the language", () => {
  test("can be chosen without losing the scans, and is kept", async () => {
    await page.keyboard.type("no-such-item");
    await page.keyboard.press("Enter");
    await page.getByText("No item has the barcode no-such-item.").first().waitFor();
    await choose("Deutsch");
    await page.getByRole("heading", { name: "Rückgabe", level: 1 }).waitFor();
    await page.getByText("Kein Exemplar hat den Barcode no-such-item.").first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    await screen(page, "desk-german");
    await choose("Español");
    await page.getByRole("heading", { name: "Devolución", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Devolución", level: 1 }).waitFor();
    await choose("English");
    await page.getByRole("heading", { name: "Check in", level: 1 }).waitFor();
  });
});

describe("commands", () => {
  test("are found by name and run by keyboard", async () => {
    await page.keyboard.press("F2");
    await page.getByRole("dialog", { name: "Go to a page" }).waitFor();
    await page.getByRole("menuitem", { name: "Check out" }).waitFor();
    await assertAccessible(page, "the command palette");
    await screen(page, "commands");
    await page.keyboard.type("slips");
    await expectEventually(
      () => page.getByRole("menuitem", { name: "Check out" }).count().then(String),
      "0",
    );
    const field = page.getByRole("searchbox", { name: "Go to a page" });
    const slips = await page.getByRole("menuitem", { name: "Slips" }).getAttribute("id");
    await expectEventually(() => field.getAttribute("aria-activedescendant"), slips);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Slips", level: 1 }).waitFor();
    await expectEventually(() => page.getByRole("dialog").count().then(String), "0");
  });

  test("lead back to a record that was seen before", async () => {
    const library = await openLibrary();
    const [patron] = (await library.get("/users", 'active==true and barcode=""', 1)).users;
    await page.goto(`/patrons/${patron.id}`);
    const heading = page.getByRole("heading", { name: patron.personal.lastName, level: 1 });
    await heading.waitFor();
    await page.goto("/slips");
    await page.getByRole("heading", { name: "Slips", level: 1 }).waitFor();
    await page.keyboard.press("F2");
    const field = page.getByRole("searchbox", { name: "Go to a page" });
    await field.fill(patron.personal.lastName);
    const record = page.getByRole("menuitem", { name: patron.personal.lastName });
    const id = await record.getAttribute("id");
    await expectEventually(() => field.getAttribute("aria-activedescendant"), id);
    await page.keyboard.press("Enter");
    await heading.waitFor();
  });

  test("with keys are on the sheet of shortcuts", async () => {
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByRole("row", { name: /Check in Alt Shift 2/ }).waitFor();
    await assertAccessible(page, "the shortcuts");
    await screen(page, "shortcuts");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
  });

  test("do not take a question mark from the scan field", async () => {
    await page.keyboard.press("Alt+Shift+1");
    await page.getByRole("heading", { name: "Check out", level: 1 }).waitFor();
    await page.keyboard.press("?");
    assert.equal(await page.getByLabel("Patron barcode").inputValue(), "?");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.keyboard.press("Backspace");
  });
});
