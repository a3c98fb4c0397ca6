/** What has to hold on every page: no findings of axe, also while it loads, and no sideways scrolling on a narrow screen. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { assertAccessible, withoutFrames } from "./browser.mjs";
import { DESK, everyPage } from "./every-page.mjs";
import { openStaff, pictureOf, screen } from "./staff.mjs";

/** A narrow telephone, and a screen of 1280 pixels at 400 % (WCAG 1.4.10). */
const WIDTHS = [360, 320];
const WIDE = { width: 1280, height: 900 };

/** Only these pages, for a quick look: EVERY_PAGE=settings */
const ONLY = process.env.EVERY_PAGE ?? "";

/** Pages of which other tests take pictures, with more on them. */
const PICTURED_ELSEWHERE = [
  "archives-circulation",
  "archives-import",
  "check-in",
  "check-out",
  "patron",
  "patrons",
  "performance",
  "request",
  "request-queue",
  "requests",
  "settings",
  "settings-rules",
  "sounds",
];

let browser;
let page;
let pages;

before(async () => {
  pages = (await everyPage()).filter(([name]) => name.includes(ONLY));
  browser = await openStaff("/patrons", { servicePoint: DESK });
  page = browser.page;
});

after(() => browser?.close());

/** Calls of the APIs wait until they are let go, so that a page stays as it is while it loads. */
async function holdCalls() {
  let letGo;
  const held = new Promise((resolve) => {
    letGo = resolve;
  });
  const wait = async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  };
  const calls = /\/(folio|archivesspace)\//;
  await page.route(calls, wait);
  return async () => {
    letGo();
    await page.unroute(calls, wait);
  };
}

const settle = async () => {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
};

/** The command palette is on every page. */
async function openPalette() {
  const palette = page.getByRole("dialog", { name: "Go to a page, do something" });
  await page.keyboard.press("F2");
  await palette.waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
}

/** Opens a page once and looks at it as it loads, as it is, and in narrow windows. */
async function look(name, path) {
  const letGo = await holdCalls();
  try {
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.getByRole("main").first().waitFor();
    await assertAccessible(page, `${name} while it loads`);
  } finally {
    await letGo();
  }
  await settle();
  if (!PICTURED_ELSEWHERE.includes(name)) await screen(page, name);
  await withoutFrames(page);
  await assertAccessible(page, name);
  await openPalette();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(await page.evaluate(narrowProblems), [], `${name} at ${width} pixels`);
    assert.deepEqual(await page.evaluate(coveredControls), [], `${name} at ${width} pixels`);
  }
}

describe("every page", () => {
  test("has no findings of axe and fits a narrow screen, while it loads and when it is there", async () => {
    const failed = [];
    for (const [name, path] of pages) {
      await look(name, path).catch((error) => failed.push(`${name} ${path}: ${error.message}`));
      await page.setViewportSize(WIDE);
    }
    assert.deepEqual(failed, []);
  });

  test("has a picture in docs/screens; if not: SCREENS=1", () => {
    const missing = pages.filter(([name]) => !existsSync(pictureOf(name)));
    assert.deepEqual(missing, []);
  });
});

describe("the settings of all kinds", { skip: !process.env.SCREENS && "pictures only" }, () => {
  test("have pictures of their lists and forms", async () => {
    await page.goto("/settings");
    const links = page.getByRole("main").getByRole("link");
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const kinds = paths.map((path) => path.split("/").at(-1));
    const known = new Set(pages.map(([name]) => name));
    const picture = async (name, path) => {
      if (known.has(name)) return;
      await page.goto(path);
      await settle();
      await screen(page, name);
    };
    for (const kind of kinds.filter((kind) => kind !== "circulation-rules")) {
      await picture(`settings-${kind}`, `/settings/${kind}`);
      // Records that the server makes cannot be added.
      if (kind === "patron-block-conditions") continue;
      await picture(`settings-${kind}-new`, `/settings/${kind}/new`);
    }
  });
});

/**
 * In the page: whether the first field and link of the content, and the button for what the page is there for, can be
 * brought into the window, and whether something else lies over them then.
 */
function coveredControls() {
  const main = document.querySelector("main");
  const isThere = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const isShown = getComputedStyle(element).visibility === "visible";
    // The browser's own lists behind fields for choosing are there for forms that are filled in by it.
    return width > 1 && height > 1 && isShown && !element.closest("[aria-hidden=true]");
  };
  const first = (selector) => [...main.querySelectorAll(selector)].find(isThere);
  const controls = [
    first("button[class*=primary], a[class*=primary]"),
    first("input, select, textarea"),
    first("a[href], button"),
  ];
  return [...new Set(controls)].flatMap((control) => {
    if (!control) return [];
    control.scrollIntoView({ block: "center", behavior: "instant" });
    const name = `${control.tagName.toLowerCase()} “${(control.textContent || control.getAttribute("aria-label") || "").trim().slice(0, 30)}”`;
    // Of a link that goes over several lines the first one counts, of an editor that is larger than the window what is in it.
    const { left, top, right, bottom } = control.getClientRects()[0];
    const [x, y] = [
      (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
      (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
    ];
    const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    if (!isInWindow) return [`${name} is out of reach`];
    const found = document.elementFromPoint(x, y);
    // The words of a checkbox are its label, which is around it.
    const isItself = control.contains(found) || control.closest("label")?.contains(found);
    return isItself ? [] : [`${name} is covered by ${found?.tagName} ${found?.className}`];
  });
}

/**
 * In the page: what goes beyond the window, and what scrolls sideways within the page without the keyboard or without a
 * name. What is only a hair wider is rounding.
 */
function narrowProblems() {
  const wide = document.documentElement.clientWidth;
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${String(element.className).split(" ")[0]} “${(element.textContent ?? "").trim().slice(0, 30)}”`;
  const scrollsSideways = (element) =>
    element.scrollWidth > element.clientWidth + 1 &&
    ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const hides = (element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
  const isWithin = (element, test) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (test(at)) return true;
    }
    return false;
  };
  const problems = [];
  if (document.documentElement.scrollWidth > wide) {
    problems.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const { right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height <= 1) continue;
    if (right > wide + 1 && !isWithin(element, (at) => scrollsSideways(at) || hides(at))) {
      problems.push(`${name(element)} ends at ${Math.round(right)}`);
    }
    if (scrollsSideways(element)) {
      const canFocus =
        element.tabIndex >= 0 || element.querySelector("[tabindex], a, button, input, textarea");
      const label = element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby");
      if (!canFocus || !label) problems.push(`${name(element)} scrolls without focus or name`);
    }
    const isControl = element.matches("button, a[href], input, select, textarea, [role=row]");
    const style = getComputedStyle(element);
    if (isControl && style.position === "fixed" && right < 0)
      problems.push(`${name(element)} is off the screen`);
  }
  return problems.slice(0, 6);
}
