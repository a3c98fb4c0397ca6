/** The session in the cookie: no script sees it, all tabs share it, and work survives its end. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { availableItems, change, openLibrary, patronAndItem } from "./library.mjs";
import { expire, openStaff, screen, signIn } from "./staff.mjs";

const SERVICE_POINT = "Circ Desk 1";
const CHECK_IN = "**/folio/circulation/check-in-by-barcode";
const { CARREL_PASSWORD } = process.env;
const id = crypto.randomUUID();
const OTHER = { user: `colleague-${id.slice(0, 8)}`, password: "a good long password" };

let browser;
let page;
let desk;
let library;
let calls;

before(async () => {
  library = await openLibrary();
  await addColleague();
  browser = await openStaff("/check-in", { servicePoint: SERVICE_POINT });
  page = browser.page;
  desk = new Desk(page);
  calls = followCalls(browser.context);
  await desk.expectFocusInScanField();
});

after(() => browser?.close());

/** A second user of the staff pages, who may do what the tests' user may. */
async function addColleague() {
  const me = await library.get("/users", `username==${process.env.CARREL_USER}`, 1);
  const path = `/perms/users/${me.users[0].id}?indexField=userId`;
  const { permissions } = await library.read(path);
  const personal = { lastName: "Colleague", firstName: "Cleo" };
  const { user: username, password } = OTHER;
  for (const [path, record] of [
    ["/users", { id, username, active: true, personal }],
    ["/authn/credentials", { username, password }],
    ["/perms/users", { userId: id, permissions }],
  ]) {
    assert.equal((await library.post(path, record)).status, 201, path);
  }
}

/** The headers of the calls of all tabs, as the browser sends them. */
function followCalls(context) {
  const seen = [];
  context.on("request", async (request) => {
    const { pathname } = new URL(request.url());
    if (!/^\/(folio|archivesspace|session)\b/.test(pathname)) return;
    seen.push({ pathname, headers: request.headers() });
  });
  return seen;
}

const heading = (tab, name) => tab.getByRole("heading", { name, level: 1 }).waitFor();
const alarm = (tab, text) => tab.getByRole("alert").filter({ hasText: text }).first().waitFor();

async function signInAgain(tab) {
  await tab.keyboard.press("Alt+Shift+5");
  await tab.getByRole("dialog", { name: "Sign in again" }).waitFor();
  await tab.keyboard.type(CARREL_PASSWORD);
  await tab.keyboard.press("Enter");
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
}

describe("the secret of the session", () => {
  test("is in a cookie of this server that no script can read", async () => {
    const [cookie, ...others] = await browser.context.cookies();
    assert.deepEqual(others, []);
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.expires], [true, "Strict", -1]);
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    );
    assert.ok(!readable.includes(cookie.value.split(".")[1]), readable);
    assert.ok(!/token|eyJ/i.test(readable), readable);
  });

  test("goes with every call, which says that it is a page's and whose", async () => {
    for (const [path, name] of [
      ["/catalogue", "Catalogue"],
      // The archives open at the lists of the first repository, or ask for one.
      ["/archives", /^(Resources|Archives)$/],
      ["/settings", "Settings"],
      ["/check-in", "Check in"],
    ]) {
      await page.goto(path);
      await heading(page, name);
      await page.waitForLoadState("networkidle");
    }
    const halves = new Set(calls.map(({ pathname }) => pathname.split("/")[1]));
    assert.deepEqual([...halves].sort(), ["archivesspace", "folio", "session"]);
    for (const { pathname, headers } of calls) {
      assert.equal(headers["x-carrel-page"], "1", pathname);
      assert.equal(headers["x-okapi-token"], undefined, pathname);
      assert.equal(headers.authorization, undefined, pathname);
      if (pathname === "/session") continue;
      assert.equal(headers["x-okapi-tenant"], process.env.CARREL_TENANT, pathname);
      assert.match(headers["x-okapi-user-id"], /^[0-9a-f-]{36}$/, pathname);
    }
  });
});

describe("a session that expires in the middle of a scan queue", () => {
  test("keeps the scans in order, and they go on after signing in again in place", async () => {
    const barcodes = await availableItems(library, 6);
    let answered = 0;
    await page.route(CHECK_IN, async (route) => {
      answered += 1;
      if (answered === 3) await expire(browser);
      await route.continue();
    });
    await desk.scan(...barcodes.slice(0, 4));
    await desk.alarm.filter({ hasText: "Your session has expired" }).waitFor();
    await desk.expectFocusInScanField();
    await desk.scan(...barcodes.slice(4));
    await desk.expectRow(barcodes[5], /Waiting/);
    await assertAccessible(page, "an expired session");
    await screen(page, "session-expired");

    await page.keyboard.press("Alt+Shift+5");
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await assertAccessible(page, "signing in again");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await alarm(page.getByRole("dialog"), "The user name or the password is wrong");
    await page.getByLabel("Password of").fill(CARREL_PASSWORD);
    await page.keyboard.press("Enter");
    assert.deepEqual(await desk.expectAllAnswered(6), Array(6).fill("answered"));
    const shown = await desk.rows.evaluateAll((rows) => rows.map((row) => row.textContent));
    const inOrder = shown.toReversed().map((text, n) => text.includes(barcodes[n]));
    assert.deepEqual(inOrder, Array(6).fill(true));
    await desk.expectFocusInScanField();
    await page.unroute(CHECK_IN);
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("keeps what was typed into a form", async () => {
    const { users } = await library.get("/users", 'active==true and barcode="" sortby username', 1);
    await page.goto(`/patrons/${users[0].id}/edit`);
    const name = page.getByLabel("Middle name");
    const typed = `Kept ${id.slice(0, 4)}`;
    await name.fill(typed);
    await expire(browser);
    await page.getByRole("button", { name: "Save" }).first().click();
    await alarm(page, "Your session has expired");
    await signInAgain(page);
    assert.equal(await name.inputValue(), typed);
    await page.getByRole("button", { name: "Save" }).first().click();
    await expectEventually(
      async () => (await library.read(`/users/${users[0].id}`)).personal.middleName,
      typed,
    );
    await change(library, `/users/${users[0].id}`, { personal: users[0].personal });
    await page.goto("/check-in");
    await desk.expectFocusInScanField();
  });
});

describe("a session that expires while a dialog is open", () => {
  test("is begun again over the dialog, which keeps what was typed", async () => {
    const { itemBarcode, userBarcode } = await patronAndItem(library);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(userBarcode);
    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /Due /);
    await page.keyboard.press("Alt+Shift+8");
    const dialog = page.getByRole("dialog", { name: "Change due date" });
    await dialog.waitFor();
    await page.keyboard.type("12312099");
    await expire(browser);
    await page.keyboard.press("Enter");
    await dialog.getByText("Sign in again with Alt Shift 5").waitFor();
    await page.keyboard.press("Alt+Shift+5");
    await page.getByLabel("Password of").waitFor();
    await page.keyboard.type(CARREL_PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByLabel("Password of").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await desk.expectRow(itemBarcode, /Dec 31, 2099/);
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /Returned from/);
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("two tabs of a browser", () => {
  let other;

  before(async () => {
    other = await browser.context.newPage();
    other.setDefaultTimeout(Number(process.env.PATIENCE ?? 15_000));
  });

  test("share the session and start at the same service point", async () => {
    await other.goto("/check-out");
    await other.getByLabel("Patron barcode").waitFor();
    await other.getByRole("button", { name: `Service point ${SERVICE_POINT}` }).waitFor();
  });

  test("go on together when one of them signs in again", async () => {
    await expire(browser);
    const [barcode] = await availableItems(library, 1);
    await page.bringToFront();
    await desk.scan(barcode);
    await alarm(page, "Your session has expired");
    await desk.expectRow(barcode, /Waiting/);
    await other.bringToFront();
    await other.reload();
    await other.getByLabel("User name").waitFor();
    await signInHere(other);
    await desk.expectRow(barcode, /Available at|In transit to/);
    await other.getByRole("button", { name: `Service point ${SERVICE_POINT}` }).waitFor();
    await page.bringToFront();
    await page.keyboard.press("Alt+Shift+0");
  });

  test("say whose session it is when somebody else signs in from one of them", async () => {
    await other.bringToFront();
    await other.getByRole("button", { name: /diku_admin/ }).click();
    const stuck = await heldScan();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await alarm(page, "You have signed out in another tab");
    await signInHere(other, OTHER);
    await alarm(page, "Colleague, Cleo has signed in from another tab");
    await assertAccessible(page, "a session of somebody else");
    await screen(page, "session-replaced");
    await desk.expectRow(stuck.barcode, /Waiting/);

    await page.bringToFront();
    await signInAgain(page);
    await desk.expectRow(stuck.barcode, /Available at|In transit to/);
    await alarm(other, "has signed in from another tab");
    await page.keyboard.press("Alt+Shift+0");

    await other.bringToFront();
    await other.getByRole("button", { name: "Go on as" }).click();
    await other.getByRole("button", { name: /diku_admin/ }).waitFor();
  });

  /** A scan whose answer the other session refuses, as when its turn comes too late. */
  async function heldScan() {
    const [barcode] = await availableItems(library, 1);
    await page.route(CHECK_IN, (route) => route.abort(), { times: 1 });
    await page.bringToFront();
    await desk.scan(barcode);
    await desk.alarm.filter({ hasText: "The server does not answer" }).waitFor();
    await other.bringToFront();
    return { barcode };
  }

  test("sign out together, and nothing stays on the screen", async () => {
    await other.getByRole("button", { name: /diku_admin/ }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await other.getByLabel("User name").waitFor();
    await page.getByLabel("User name").waitFor();
    await expectEventually(async () => String((await browser.context.cookies()).length), "0");
    await page.goBack();
    await page.getByLabel("User name").waitFor();
    await page.reload();
    await page.getByLabel("User name").waitFor();
  });

  async function signInHere(tab, who = {}) {
    const { user = process.env.CARREL_USER, password = CARREL_PASSWORD } = who;
    await tab.getByLabel("User name").fill(user);
    await tab.getByLabel("Password").fill(password);
    await tab.keyboard.press("Enter");
    await tab.getByRole("option", { name: SERVICE_POINT }).click();
    await tab.keyboard.press("Enter");
    await tab.getByRole("button", { name: `Service point ${SERVICE_POINT}` }).waitFor();
  }
});

test("a wrong password is said, and what was typed stays", async () => {
  await page.goto("/");
  await page.getByLabel("User name").fill(process.env.CARREL_USER);
  await page.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await alarm(page, "The user name or the password is wrong, or the account is locked.");
  assert.equal(await page.getByLabel("User name").inputValue(), process.env.CARREL_USER);
  await signIn(page, { servicePoint: SERVICE_POINT });
});
