/** Signing in and pictures, for the tests of any page. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";

const { CARREL_TENANT, CARREL_USER, CARREL_PASSWORD, SCREENS } = process.env;
const PICTURES = join(import.meta.dirname, "../../docs/screens");
const MOST_BYTES = 150_000;

/**
 * A browser, signed in, at the page of this path; with `servicePoint`, at a desk.
 * Close it in `after`: `const { page, close } = await openStaff("/patrons")`.
 */
export async function openStaff(path, options = {}) {
  const browser = await openBrowser(options.browser);
  try {
    await signIn(browser.page, options);
    await browser.page.goto(path);
    await framed(browser.page);
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** Loads the page again. */
export async function reload(page) {
  await page.reload();
  await framed(page);
}

/** Waits for what is around every page: before it is there, nobody hears a shortcut. */
const framed = (page) => page.getByRole("navigation").first().waitFor();

/** Fills in the sign-in form; `user` and `password` for somebody other than the tests' administrator. */
export async function signIn(
  page,
  { user = CARREL_USER, password = CARREL_PASSWORD, servicePoint } = {},
) {
  await page.goto("/");
  await page.getByLabel("Library").fill(CARREL_TENANT);
  await page.getByLabel("User name").fill(user);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor({ state: "hidden" });
  if (!servicePoint) return;
  await page.getByRole("option", { name: servicePoint }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Service point ${servicePoint}` }).waitFor();
}

/** What the server does when a session's time is over: the browser sends a cookie that is worth nothing. */
export async function expire({ context }) {
  const cookies = await context.cookies();
  await context.addCookies(
    cookies.map((cookie) => ({ ...cookie, value: `${cookie.value.split(".")[0]}.gone` })),
  );
}

/** Where the picture of a page is. */
export const pictureOf = (name) => join(PICTURES, `${name}.png`);

/** How much of the window's height a picture shows: less of a page with so much in it that the picture were too large. */
const PARTS = [1, 0.75, 0.5];

/** With SCREENS=1, keeps a picture of the page as `docs/screens/<name>.png`. */
export async function screen(page, name) {
  if (!SCREENS) return;
  mkdirSync(PICTURES, { recursive: true });
  const { width, height } = page.viewportSize();
  for (const part of PARTS) {
    const clip = { x: 0, y: 0, width, height: Math.round(height * part) };
    const picture = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
    if (picture.length > MOST_BYTES) continue;
    writeFileSync(pictureOf(name), picture);
    return;
  }
  throw new Error(`a picture of ${name} has more than ${MOST_BYTES} bytes`);
}
