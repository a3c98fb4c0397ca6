/** The scan field at its limits: a fast scanner, a slow server, a lost one, and barcodes of another kind than expected. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { availableItems, openLibrary, patronAndItem } from "./library.mjs";
import { openStaff, screen } from "./staff.mjs";
import { makePatron } from "./thursdays.mjs";

const SERVICE_POINT = "Circ Desk 1";
const CHECK_IN = "**/folio/circulation/check-in-by-barcode";
/** Milliseconds between two barcodes at 20 a second. */
const PACE = 50;

let browser;
let page;
let desk;
let library;

before(async () => {
  library = await openLibrary();
  browser = await openStaff("/check-in", { servicePoint: SERVICE_POINT });
  page = browser.page;
  desk = new Desk(page);
  await desk.expectFocusInScanField();
});

after(() => browser?.close());

/** Types barcodes as a scanner does: at its own pace, wherever the focus is. */
async function scanAtPace(barcodes) {
  for (const barcode of barcodes) {
    const next = new Promise((resolve) => setTimeout(resolve, PACE));
    await page.keyboard.insertText(barcode);
    await page.keyboard.press("Enter");
    await next;
  }
}

/** Barcodes of items that the patron may borrow. */
async function borrowable(userBarcode, count) {
  const found = [];
  for (const itemBarcode of await availableItems(library, 20)) {
    const answer = await library.post("/circulation/check-out-by-barcode-dry-run", {
      ...{ itemBarcode, userBarcode },
    });
    if (answer.status === 201) found.push(itemBarcode);
    if (found.length === count) return found;
  }
  return assert.fail("too few items can be lent");
}

/** Lists the calls to the server from now on. */
function listCalls() {
  const calls = [];
  const count = (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(folio|carrel|archivesspace)\//.test(pathname)) calls.push(pathname);
  };
  page.on("request", count);
  return () => {
    page.off("request", count);
    return calls;
  };
}

async function expectInOrder(barcodes) {
  const shown = await desk.allRows();
  const order = shown.toReversed().map(({ text }, n) => text.includes(barcodes[n]));
  assert.deepEqual(order, Array(barcodes.length).fill(true));
}

describe("a barcode of another kind than expected", () => {
  let pair;

  before(async () => {
    pair = await patronAndItem(library);
  });

  test("a patron's card at check-in is recognised", async () => {
    await desk.scan(pair.userBarcode);
    await desk.expectRow(pair.userBarcode, new RegExp(`${pair.lastName}.*A patron's card`));
    await desk.task("Check out", "Alt+Shift+1");
    await expectEventually(() => desk.patron.textContent(), new RegExp(pair.lastName));
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("an item before the patron is recognised, and nothing is lent", async () => {
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /This is an item: .*Scan the patron's card first/);
  });

  test("the card of the next patron among items starts that patron's session", async () => {
    const { users } = await library.get("/users", 'active==true and barcode="" sortby username', 5);
    const next = users.find(({ barcode }) => barcode !== pair.userBarcode);
    await desk.scanPatron(pair.userBarcode);
    await desk.scan(next.barcode);
    await desk.expectRow(next.barcode, new RegExp(next.personal.lastName));
    await expectEventually(() => desk.patron.textContent(), new RegExp(next.personal.lastName));
    await desk.expectFocusInScanField();
    await assertAccessible(page, "two patrons at check-out");
    await screen(page, "check-out");
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("a patron who borrows and brings back at one desk", () => {
  test("costs one call a scan, and the card is right after each", async () => {
    const openLoans = async (count) =>
      expectEventually(() => desk.patron.textContent(), new RegExp(`Open loans\\s*${count}\\D`));
    const userBarcode = "scanning-1";
    // Without loans, sponsors or anything else that the card would read.
    await makePatron(library, userBarcode, "Swift");
    const items = await borrowable(userBarcode, 3);
    const read = ["/circulation/loans", "/manualblocks", "/automated-patron-blocks/"].map((path) =>
      page.waitForResponse((response) => new URL(response.url()).pathname.includes(path)),
    );
    await desk.scanPatron(userBarcode);
    for (const response of await Promise.all(read)) await response.finished();
    await openLoans(0);
    const calls = listCalls();
    for (const [n, item] of items.entries()) {
      await desk.scan(item);
      await desk.expectRow(item, /Due/);
      await openLoans(n + 1);
    }
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(items[0]);
    await openLoans(2);
    const lent = "/folio/circulation/check-out-by-barcode";
    assert.deepEqual(calls(), [lent, lent, lent, "/folio/circulation/check-in-by-barcode"]);
    await desk.scan(...items.slice(1));
    await desk.expectAllAnswered(6);
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("fifty barcodes at twenty a second", () => {
  let barcodes;

  before(async () => {
    barcodes = await availableItems(library, 50);
    await desk.task("Check in", "Alt+Shift+2");
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("are all recorded in order, each with one call, and the focus stays", async () => {
    const calls = listCalls();
    await scanAtPace(barcodes);
    await desk.expectFocusInScanField();
    assert.deepEqual(await desk.expectAllAnswered(50), Array(50).fill("answered"));
    await expectInOrder(barcodes);
    assert.deepEqual(calls(), Array(50).fill("/folio/circulation/check-in-by-barcode"));
    await screen(page, "check-in");
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("are all recorded by a server that is slow and then cut off", async () => {
    const some = barcodes.slice(0, 12);
    let seen = 0;
    await page.route(CHECK_IN, async (route) => {
      seen += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      await (seen === 4 ? route.abort() : route.continue());
    });
    await scanAtPace(some);
    await desk.expectFocusInScanField();
    await desk.alarm.filter({ hasText: "The server does not answer" }).waitFor();
    await page.getByRole("button", { name: "Try now" }).click();
    assert.deepEqual(await desk.expectAllAnswered(12), Array(12).fill("answered"));
    await page.unroute(CHECK_IN);
    await expectInOrder(some);
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("a session of five hundred scans", () => {
  const REFUSED = Array.from({ length: 500 }, (_, n) => `refused-${n}`);
  let lent;

  const scan = async (barcode) => {
    await page.keyboard.insertText(barcode);
    await page.keyboard.press("Enter");
  };
  const scrollTo = (top) =>
    page.evaluate((y) => window.scrollTo({ top: y, behavior: "instant" }), top);
  const expectDrawn = async (barcode) => {
    await desk.row(barcode).waitFor();
    assert.ok((await desk.rows.count()) < 100, "only what is near the window is drawn");
  };
  const inWindow = async (row) => {
    const { y } = await row.boundingBox();
    return String(y >= 0 && y < page.viewportSize().height);
  };

  before(async () => {
    lent = await patronAndItem(library);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(lent.userBarcode);
    await desk.scan(lent.itemBarcode);
    await desk.expectRow(lent.itemBarcode, /Due/);
    await desk.task("Check in", "Alt+Shift+2");
    let n = 0;
    await page.route(CHECK_IN, (route) => {
      n += 1;
      const errors = Array.from({ length: 1 + (n % 4) }, (_, m) => ({ message: `Reason ${m}` }));
      // Not 422, about which "Why?" can be asked: Tab would stop in each row.
      return route.fulfill({ status: 400, json: { errors } });
    });
    for (const barcode of REFUSED) await scan(barcode);
    await desk.expectRow(REFUSED[499], /Reason/);
  });

  after(async () => {
    await page.unroute(CHECK_IN);
    await desk.keyboard.press("Alt+Shift+0");
    await desk.rows.first().waitFor({ state: "detached" });
    await desk.expectFocusInScanField();
  });

  test("has its newest rows on the page, and the others where somebody scrolls to", async () => {
    await expectDrawn(REFUSED[499]);
    assert.match(await desk.rows.first().textContent(), /refused-499/);
    const places = await desk.rows.evaluateAll((rows) => rows.map((row) => row.ariaPosInSet));
    const from = (place) => Number(place) - 1;
    assert.deepEqual(places.slice(0, 5).map(from), [0, 1, 2, 3, 4]);
    assert.equal(await desk.rows.first().getAttribute("aria-setsize"), "501");
    assert.equal(await desk.row(REFUSED[250]).count(), 0);
    await assertAccessible(page, "five hundred scans");
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await scrollTo(height / 2);
    await expectEventually(async () => String(await desk.row(REFUSED[499]).count()), "0");
    assert.ok((await desk.rows.count()) < 100);
    await assertAccessible(page, "the middle of five hundred scans");
    await scrollTo(1_000_000);
    await expectDrawn(REFUSED[0]);
  });

  test("is drawn at each pixel that it is scrolled to", async () => {
    // At one of these the first row that is drawn becomes another one.
    const tops = Array.from({ length: 200 }, (_, n) => 950 + n);
    const drawn = await page.evaluate(async (pixels) => {
      const counts = [];
      for (const top of pixels) {
        window.scrollTo({ top, behavior: "instant" });
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        counts.push(document.querySelectorAll("li[aria-posinset]").length);
      }
      return counts;
    }, tops);
    assert.ok(Math.min(...drawn) > 10 && Math.max(...drawn) < 100, String(drawn));
  });

  test("keeps what is read in its place while rows above it grow", async () => {
    await desk.toTop();
    let answer;
    const mayAnswer = new Promise((resolve) => {
      answer = resolve;
    });
    await page.route(CHECK_IN, async (route) => {
      await mayAnswer;
      await route.fallback();
    });
    for (const barcode of ["later-1", "later-2", "later-3"]) await scan(barcode);
    await desk.expectRow("later-3", /Waiting/);
    await scrollTo(700);
    const read = desk.row(REFUSED[490]);
    await expectEventually(() => inWindow(read), "true");
    const { y } = await read.boundingBox();
    assert.equal(await inWindow(desk.row("later-3")), "false");
    answer();
    await desk.expectRow("later-3", /Reason/);
    assert.ok(Math.abs((await read.boundingBox()).y - y) <= 2);
  });

  test("is gone through by keyboard, and the row with the focus stays", async () => {
    await desk.toTop();
    await desk.expectFocusInScanField();
    await page.keyboard.press("Tab"); // to the backdating field
    await page.keyboard.press("Tab");
    const button = page.getByRole("button", { name: `Change due date… ${lent.itemBarcode}` });
    const isFocused = () =>
      button.evaluateAll(([found]) => String(found === document.activeElement));
    await expectEventually(isFocused, "true");
    await expectEventually(() => inWindow(button), "true");
    await expectDrawn(REFUSED[0]);
    await desk.toTop();
    await expectDrawn("later-3");
    assert.equal(await isFocused(), "true");
    await page.getByLabel("Item barcode").focus();
  });

  test("is printed as a whole", async () => {
    // As a browser does; a PDF of so many rows takes it ten seconds.
    const turn = (event) =>
      page.evaluate((name) => window.dispatchEvent(new Event(name)), `${event}print`);
    await turn("before");
    assert.equal(await desk.rows.count(), 504);
    await turn("after");
    await expectEventually(async () => String((await desk.rows.count()) < 100), "true");
  });

  test("fits a window of 360 pixels, and loses no row there", async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectDrawn("later-3");
    const tooWide = () =>
      page.evaluate(() => String(document.documentElement.scrollWidth > window.innerWidth));
    assert.equal(await tooWide(), "false");
    await scrollTo(1_000_000);
    await expectDrawn(REFUSED[0]);
    await desk.row(lent.itemBarcode).waitFor();
    assert.equal(await tooWide(), "false");
    await page.setViewportSize(size);
    await desk.toTop();
  });
});

describe("sounds", () => {
  test("can all be heard and be turned off", async () => {
    await page.goto("/sounds");
    const hear = page.getByRole("button", { name: "Hear: Refused", exact: true });
    await hear.click();
    await assertAccessible(page, "the sounds");
    await screen(page, "sounds");
    await page.getByRole("button", { name: /Loudness/ }).click();
    await page.getByRole("option", { name: "Off" }).click();
    await hear.press("Enter");
    await page.getByRole("status").getByText("The sounds are off.").waitFor();
    await page.getByRole("button", { name: /Loudness/ }).click();
    await page.getByRole("option", { name: "Normal" }).click();
  });
});
