/** Debian's Chromium with a fresh profile, and the accessibility check that every page must pass. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The packages come from the application under test; the tests have none of their own.
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const { AxeBuilder } = require("@axe-core/playwright");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A page in its own browser; `close` ends the browser and removes its profile. `options` are Playwright's. */
export async function openBrowser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "carrel-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    baseURL: process.env.CARREL_URL,
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    ...options,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60_000));
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, context, close };
}

/**
 * Takes frames away (previews, reports), also those that come late: no script can run in them, so axe would wait for ever.
 */
export const withoutFrames = (page) =>
  page.evaluate(() => {
    const remove = () => {
      for (const frame of document.querySelectorAll("iframe")) frame.remove();
    };
    remove();
    new MutationObserver(remove).observe(document.body, { childList: true, subtree: true });
  });

/** Fails with axe's findings in light mode, and those about colours in dark mode: nothing else differs. */
export async function assertAccessible(page, what) {
  for (const [colorScheme, rules] of [
    ["light"],
    ["dark", ["color-contrast", "link-in-text-block"]],
  ]) {
    await page.emulateMedia({ colorScheme });
    // React Aria's own announcer names a busy button for some seconds, also when that button is gone.
    const axe = new AxeBuilder({ page }).exclude("[data-live-announcer]");
    // Without it axe opens a tab of its own for each analysis, to join findings in frames; the pages have none.
    axe.setLegacyMode(true);
    // What passes is left out of the answer: it is a hundred times as much, and a second of processor time for each page.
    axe.options({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
    const { violations } = await axe.analyze();
    const findings = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" ")}`,
    );
    assert.deepEqual(findings, [], `${what}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
