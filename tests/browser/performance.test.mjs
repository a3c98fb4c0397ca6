/** The page of figures, and what the pages themselves may cost. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertAccessible, withoutFrames } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { makeIndexes } from "./indexes.mjs";
import { availableItems, openLibrary, patronAndItem, servicePointNamed } from "./library.mjs";
import { openStaff, screen } from "./staff.mjs";

/** Bytes of compressed script that the desk may load before it can be used, and in how many files. */
const SCRIPT_BUDGET = 250_000;
const FILE_BUDGET = 5;
/** Milliseconds from nothing to a scan field, with the processor slowed down. */
const START_BUDGET = 1_000;
const SLOWDOWN = 4;
/** Milliseconds from the end of a scan to its row, half of all scans. */
const ROW_BUDGET = 50;
const SCANS = 20;
/** A machine with other work would measure that. */
const UNTIMED = !process.env.TIMED && "with TIMED=1 only, on a machine that does nothing else";

let browser;
let page;

before(async () => {
  browser = await openStaff("/performance", { servicePoint: "Circ Desk 1" });
  page = browser.page;
});

after(() => browser?.close());

describe("the performance page", () => {
  test("shows this installation's figures", async () => {
    const library = await openLibrary();
    const servicePointId = await servicePointNamed(library, "Circ Desk 1");
    const { itemBarcode, userBarcode } = await patronAndItem(library);
    const body = { itemBarcode, userBarcode, servicePointId };
    const lent = await library.post("/circulation/check-out-by-barcode", body);
    assert.equal(lent.status, 201);
    const {
      CARREL_URL,
      CARREL_TENANT: tenant,
      CARREL_USER: user,
      CARREL_PASSWORD: password,
    } = process.env;
    await makeIndexes(CARREL_URL, { tenant, user, password });
    await page.reload();
    const desk = page.getByRole("region", { name: "At the desk" });
    await expectEventually(
      () => desk.textContent(),
      /Check-outs\s*\d+: 95 % within [\d.]+ ms, [12](\.\d)? round trips each/,
    );
    const index = page.getByRole("grid", { name: "Search indexes" }).getByRole("row");
    const states = /Up to date|Catching up|Being built/;
    await expectEventually(() => index.filter({ hasText: "diku" }).first().textContent(), states);
    await page.getByRole("grid", { name: /Calls/ }).getByRole("row").nth(1).waitFor();
    await assertAccessible(page, "the performance page");
    await screen(page, "performance");
  });

  test("says why it may not", async () => {
    await page.route("**/metrics", (route) => route.fulfill({ status: 403, body: "no" }));
    await page.reload();
    await page.getByText("only be read on the machine on which Carrel runs").waitFor();
    await page.unroute("**/metrics");
    await page.route("**/metrics", (route) => route.fulfill({ status: 401, body: "no" }));
    await page.reload();
    await page.getByLabel("Token").fill("secret");
    const asked = page.waitForRequest(
      (request) => request.headers().authorization === "Bearer secret",
    );
    await page.getByRole("button", { name: "Show the figures" }).click();
    await asked;
    await assertAccessible(page, "protected figures");
    await page.unroute("**/metrics");
  });
});

test("the runs of the performance lab are listed, and each has its report", async () => {
  const { runs } = await (await fetch(`${process.env.CARREL_URL}/lab/runs`)).json();
  await page.goto("/performance");
  const list = page.getByRole("grid", { name: "Runs of the performance lab" });
  // A server that keeps no runs says so.
  if (runs.length === 0) return page.getByText("This installation keeps no runs.").waitFor();
  await list.getByRole("row").nth(1).click();
  await page.getByRole("heading", { level: 1, name: runs[0].folder }).waitFor();
  const report = page.frameLocator("iframe[title=Report]");
  await report.getByRole("heading", { level: 1 }).waitFor();
  await screen(page, "performance-report");
  await withoutFrames(page);
  await assertAccessible(page, "the report of a run");
});

describe("the first load of the desk", () => {
  test("has at most 250 kB of compressed script in a few files, and asks once who is signed in", async () => {
    const scripts = new Map();
    let asked = 0;
    const keep = async (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === "/session") asked += 1;
      if (!pathname.endsWith(".js")) return;
      scripts.set(pathname, 0);
      scripts.set(pathname, gzipSync(await response.body(), { level: 9 }).length);
    };
    // The page of before may be asking for something.
    await page.goto("about:blank");
    page.on("response", keep);
    await page.goto("/check-out");
    await page.getByLabel("Patron barcode").waitFor();
    await page.waitForLoadState("networkidle");
    page.off("response", keep);
    const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    console.info(`first load: ${scripts.size} scripts with ${bytes} bytes compressed`);
    assert.ok(bytes > 50_000, "scripts were counted");
    assert.ok(bytes <= SCRIPT_BUDGET, `${bytes} bytes`);
    assert.ok(scripts.size <= FILE_BUDGET, [...scripts.keys()].join(" "));
    assert.equal(asked, 1, "calls of /session");
  });

  test("asks once who is signed in, also if the script that asks is the last to come", async () => {
    let asked = 0;
    const count = (request) => {
      if (new URL(request.url()).pathname === "/session") asked += 1;
    };
    await page.goto("about:blank");
    page.on("request", count);
    const application = page.waitForEvent(
      "requestfinished",
      (request) =>
        new URL(request.url()).pathname.startsWith("/assets/desk-") &&
        request.url().endsWith(".js"),
    );
    await page.route("**/begin.js", async (route) => {
      await application;
      // By now it would have run, if it did not wait for this script.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      await route.continue();
    });
    await page.goto("/check-out");
    await page.getByLabel("Patron barcode").waitFor();
    await page.waitForLoadState("networkidle");
    page.off("request", count);
    await page.unroute("**/begin.js");
    assert.equal(asked, 1, "calls of /session");
  });

  test("can be used within a second, cold and on a slow processor", { skip: UNTIMED }, async () => {
    const devtools = await browser.context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const times = [];
    // The best of three: what is measured is the page, not what else the machine does.
    for (let n = 0; n < 3; n += 1) {
      await page.goto("/check-out", { waitUntil: "commit" });
      await page.getByLabel("Patron barcode").waitFor();
      times.push(await page.evaluate(() => Math.round(performance.now())));
    }
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    console.info(`first start, ${SLOWDOWN} times slower: ${times.join(", ")} ms`);
    assert.ok(Math.min(...times) <= START_BUDGET, `${times.join(", ")} ms`);
  });
});

describe("a scan", { skip: UNTIMED }, () => {
  test("is a row within 50 milliseconds", async () => {
    const barcodes = await availableItems(await openLibrary(), SCANS);
    await page.goto("/check-in");
    await page.getByLabel("Item barcode").waitFor();
    await page.evaluate(noteScans);
    const rows = page.getByRole("list", { name: "Scans, newest first" });
    for (const [n, barcode] of barcodes.entries()) {
      await page.keyboard.insertText(barcode);
      await page.keyboard.press("Enter");
      await rows
        .locator(`> li[aria-setsize="${n + 1}"]`)
        .first()
        .waitFor();
      await page.locator("li[data-state=waiting], li[data-state=working]").first().waitFor({
        state: "detached",
      });
    }
    const { shown, answered } = await page.evaluate(() => window.scanTimes);
    console.info(`scan to row: ${inWords(shown)}; to its answer: ${inWords(answered)}`);
    assert.equal(shown.length, SCANS);
    assert.ok(median(shown) <= ROW_BUDGET, inWords(shown));
  });
});

const median = (times) => times.toSorted((one, other) => one - other)[times.length >> 1];

const inWords = (times) =>
  `${median(times).toFixed(1)} ms at the median, ${Math.max(...times).toFixed(1)} ms at most`;

/** In the page: notes when Enter was pressed, when a row was painted for it, and when the row had its answer. */
function noteScans() {
  const times = { shown: [], answered: [] };
  window.scanTimes = times;
  let pressed = 0;
  const painted = (list) => requestAnimationFrame(() => list.push(performance.now() - pressed));
  document.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Enter") pressed = performance.now();
    },
    { capture: true },
  );
  const states = new Map();
  new MutationObserver(() => {
    // The newest: others are drawn anew when they come near the window.
    for (const row of document.querySelectorAll("li[data-state][aria-posinset='1']")) {
      const before = states.get(row);
      const { state } = row.dataset;
      if (before === undefined) painted(times.shown);
      if (before !== state && (state === "answered" || state === "refused"))
        painted(times.answered);
      states.set(row, state);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}
