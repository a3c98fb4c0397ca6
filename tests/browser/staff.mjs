/** Signing in and pictures, for the tests of any page. */
import { mkdirSync, statSync } from "node:fs";
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
  await signIn(browser.page, options);
  await browser.page.goto(path);
  return browser;
}

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

/** With SCREENS=1, keeps a picture of the page as `docs/screens/<name>.png`. */
export async function screen(page, name) {
  if (!SCREENS) return;
  mkdirSync(PICTURES, { recursive: true });
  const path = join(PICTURES, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
