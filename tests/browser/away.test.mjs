/** The network is away, or Carrel was upgraded under an open page: clear words everywhere, and nothing is lost. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { availableItems, openLibrary } from "./library.mjs";
import { expire, openStaff } from "./staff.mjs";
import { makePatron } from "./thursdays.mjs";

const POINT = "Circ Desk 1";
/** Files that belong to the pages of patrons. */
const PATRONS = /\/assets\/Patron\w*Page-/;

let library;
let browser;
let page;
let desk;
let keyboard;
let patron;

before(async () => {
  library = await openLibrary();
  patron = await makePatron(library, "away-1", "Farraway");
  browser = await openStaff("/check-in", { servicePoint: POINT });
  page = browser.page;
  desk = new Desk(page);
  keyboard = new Keyboard(page);
});

after(() => browser?.close());

const goOffline = () => browser.context.setOffline(true);
const goOnline = () => browser.context.setOffline(false);

afterEach(goOnline);

const missing = () => page.getByRole("alert").filter({ hasText: "This could not be loaded" });
const unanswered = () => page.getByRole("alert").filter({ hasText: "The server does not answer" });
const button = (name) => page.getByRole("button", { name, exact: true });

const lastCheckIn = async (barcode) => {
  const { items } = await library.get("/inventory/items", `barcode=="${barcode}"`, 1);
  return items[0].lastCheckIn?.dateTime ?? "never";
};

/** Waits until files that must be at hand are there. */
const isAtHand = (...names) =>
  page.waitForFunction((names) => {
    const files = performance.getEntriesByType("resource").map(({ name }) => name);
    return names.every((name) => files.some((file) => file.includes(`/${name}-`)));
  }, names);

describe("scans that wait", () => {
  test("stay while the palette is opened and a page cannot be loaded, and are sent afterwards", async () => {
    const [first, ...others] = await availableItems(library, 3);
    await desk.scan(first);
    await desk.expectAllAnswered(1);
    await isAtHand("Palette", "SignInAgainDialog");
    await goOffline();
    await desk.scan(...others);
    await unanswered().waitFor();
    await keyboard.press("F2");
    await page.getByRole("dialog", { name: "Go to a page, do something" }).waitFor();
    await keyboard.press("Escape", "Alt+Shift+P");
    await missing().waitFor();
    await assertAccessible(page, "a page that could not be loaded");
    await keyboard.press("Alt+Shift+2");
    await expectEventually(async () => String(await desk.rows.count()), "3");
    await goOnline();
    await desk.expectAllAnswered(3);
    for (const barcode of others) await expectEventually(() => lastCheckIn(barcode), /^\d{4}-/);
    await keyboard.press("Alt+Shift+0");
  });

  test("can be saved by signing in again after Carrel was upgraded", async () => {
    const [barcode] = await availableItems(library, 1);
    // The files of before are gone; what must be at hand is there.
    await page.route("**/assets/**", (route) => route.fulfill({ status: 404 }));
    await expire(browser);
    await desk.scan(barcode);
    await page.getByRole("alert").filter({ hasText: "Your session has expired" }).waitFor();
    await keyboard.press("Alt+Shift+5");
    await keyboard.fill(
      page.getByRole("dialog").getByLabel("Password"),
      process.env.CARREL_PASSWORD,
    );
    await keyboard.press("Enter");
    await desk.expectAllAnswered(1);
    await keyboard.press("Alt+Shift+0", "Alt+Shift+P");
    await missing().waitFor();
    await page.unroute("**/assets/**");
    await keyboard.activate(button("Try again"));
    await page.getByRole("searchbox", { name: "Search patrons" }).waitFor();
  });
});

describe("a page whose calls fail", () => {
  test("says so instead of finding nobody", async () => {
    const search = page.getByRole("searchbox", { name: "Search patrons" });
    await goOffline();
    await keyboard.fill(search, "Farraway");
    await keyboard.press("Enter");
    await unanswered().waitFor();
    assert.equal(await page.getByText("No patron fits.").count(), 0);
    await goOnline();
    await keyboard.activate(button("Try again"));
    await page.getByRole("row").filter({ hasText: "away-1" }).waitFor();
  });

  test("keeps what was typed, and says at once that it is not saved", async () => {
    await page.goto(`/patrons/${patron.id}/edit`);
    const field = page.getByRole("textbox", { name: "Middle name" });
    await keyboard.fill(field, "Quiet");
    await goOffline();
    await keyboard.activate(button("Save"));
    await unanswered().waitFor();
    assert.equal(await field.inputValue(), "Quiet");
    await goOnline();
    await keyboard.activate(button("Save"));
    await page.getByRole("tab", { name: "Fees" }).waitFor();
    const saved = await library.read(`/users/${patron.id}`);
    assert.equal(saved.personal.middleName, "Quiet");
  });

  test("charges nothing later that seemed to have failed", async () => {
    const dialog = page.getByRole("dialog");
    await keyboard.openTab("Fees");
    await keyboard.activate(button("Charge a fee…"));
    await keyboard.activate(page.getByRole("button", { name: /Fee type/ }));
    await page.getByRole("option").first().waitFor();
    await keyboard.press("ArrowDown", "Enter");
    await keyboard.fill(dialog.getByLabel(/^Amount in/), "8.00");
    await goOffline();
    await keyboard.activate(dialog.getByRole("button", { name: "Charge", exact: true }));
    await dialog.getByText(/The server does not answer/).waitFor();
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await goOnline();
    await page.reload();
    await page.getByRole("tab", { name: "Fees" }).waitFor();
    const { totalRecords } = await library.get("/accounts", `userId=="${patron.id}"`, 1);
    assert.equal(totalRecords, 0);
  });

  test("has no part of a page that it lacks take the rest away", async () => {
    await page.route(PATRONS, (route) => route.abort());
    await page.goto("/patrons");
    await missing().waitFor();
    await button("Keyboard shortcuts").waitFor();
    await page.unroute(PATRONS);
    await keyboard.activate(button("Try again"));
    await page.getByRole("searchbox", { name: "Search patrons" }).waitFor();
  });
});
