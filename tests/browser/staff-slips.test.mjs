import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertAccessible, openBrowser } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import {
  change,
  openLibrary,
  patronAndItem,
  requestedItem,
  servicePointNamed,
} from "./library.mjs";
import { catchPrinting } from "./printing.mjs";

const SERVICE_POINT = "Circ Desk 1";
const TITLE = "Tags such as <script>window.hacked = true</script> & how to print them";
const HOLD = `<script>parent.hacked = true</script>
  <p class="ql-size-large" onclick="parent.hacked = true">{{requester.lastName}}</p>
  <p>{{item.title}}</p><p>{{item.barcodeImage}}</p><p>until {{request.holdShelfExpirationDate}}</p>
  <img src="data:," alt="" onerror="parent.hacked = true">`;

let browser;
let desk;
let library;
let printing;
let templatesRead = 0;

before(async () => {
  library = await openLibrary();
  await change(library, `/staff-slips-storage/staff-slips/${await slipNamed("Hold")}`, {
    template: HOLD,
  });
  await set("PRINT_HOLD_REQUESTS", { printHoldRequestsEnabled: true });
  await set("printEventLogFeature", { enablePrintLog: "true" });
  browser = await openBrowser();
  printing = await catchPrinting(browser.page);
  browser.page.on("request", (request) => {
    if (request.url().includes("/staff-slips-storage/")) templatesRead += 1;
  });
  desk = new Desk(browser.page);
  await browser.page.goto("/");
  await desk.signIn();
  await desk.chooseServicePoint(SERVICE_POINT);
});

after(() => browser?.close());

async function set(name, value) {
  const answer = await library.post("/circulation/settings", { name, value });
  assert.equal(answer.status, 201, name);
}

async function slipNamed(name) {
  const { staffSlips } = await library.get(
    "/staff-slips-storage/staff-slips",
    `name=="${name}"`,
    1,
  );
  return staffSlips[0].id;
}

describe("slips, by keyboard only", () => {
  let wanted;

  before(async () => {
    const here = await servicePointNamed(library, SERVICE_POINT);
    wanted = await requestedItem(library, here);
    await requestedItem(library, here);
    await change(library, `/instance-storage/instances/${wanted.instanceId}`, { title: TITLE });
  });

  test("pick slips are listed in the order of the shelves and printed a page each", async () => {
    const id = await servicePointNamed(library, SERVICE_POINT);
    const { pickSlips } = await library.read(`/circulation/pick-slips/${id}`);
    const barcodes = pickSlips.map((slip) => slip.item.barcode);
    assert.ok(barcodes.length > 1 && barcodes.includes(wanted.barcode), "there is work to do");

    await desk.keyboard.press("Alt+Shift+6");
    const rows = browser.page.getByRole("list", { name: "Pick slips" }).getByRole("listitem");
    await expectEventually(async () => String(await rows.count()), String(barcodes.length));
    await assertAccessible(browser.page, "the slips");
    await desk.keyboard.press("Alt+Shift+7");
    const { title, slips, barCodes, html } = await printing.next();
    assert.equal(title, "Pick slip");
    assert.equal(slips.length, barcodes.length);
    assert.deepEqual(barCodes, barcodes);
    assert.equal(html.match(/class="slip page"/g).length, barcodes.length);
  });

  test("printed pick slips are recorded", async () => {
    const count = async () => {
      const request = await library.read(`/circulation/requests/${wanted.requestId}`);
      return String(request.printDetails?.printCount);
    };
    await expectEventually(count, "1");
  });

  test("holds that cannot be filled yet are printed as search slips", async () => {
    const searches = browser.page.getByRole("region", { name: "Search slips" });
    await searches.waitFor();
    const searchSlips = [{ item: { title: "Any copy" }, request: { requestID: "r-1" } }];
    await browser.page.route(
      "**/circulation/search-slips/*",
      (call) => call.fulfill({ json: { searchSlips } }),
      { times: 1 },
    );
    await browser.page.getByRole("button", { name: "Read again" }).focus();
    await desk.keyboard.press("Enter");
    await searches.getByRole("button", { name: "Print 1 search slip" }).focus();
    await desk.keyboard.press("Enter");
    const { title, slips } = await printing.next();
    assert.equal(title, "Search slip (Hold requests)");
    assert.match(slips[0], /^Any copy/);
  });

  test("a returned item with a request shows its destination and prints its slip", async () => {
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(wanted.barcode);
    await desk.expectRow(
      wanted.barcode,
      /Place it on the hold shelf at Circ Desk 1\..*Awaiting pickup for /,
    );
    await expectEventually(() => desk.spoken.first().textContent(), /Place it on the hold shelf/);
    await assertAccessible(browser.page, "an item for the hold shelf");
    await desk.keyboard.press("Alt+Shift+7");

    const { title, slips, barCodes, html } = await printing.next();
    assert.equal(title, "Hold");
    assert.equal(slips.length, 1);
    assert.ok(slips[0].includes(TITLE), "the title is text");
    assert.ok(slips[0].includes(wanted.lastName), "the requester is named");
    assert.match(slips[0], /until \w+ \d+, \d{4}/);
    assert.deepEqual(barCodes, [wanted.barcode]);
    assert.doesNotMatch(html, /<script|onerror|onclick/);
    assert.equal(await browser.page.evaluate(() => window.hacked), undefined);
    await desk.expectFocusInScanField();
    await assertAccessible(browser.page, "check-in after printing");
  });

  test("its button prints the slip again, and scanning continues", async () => {
    await desk.keyboard.press("Tab"); // to the backdating field
    await desk.keyboard.press("Tab");
    const focused = () => browser.page.evaluate(() => document.activeElement.ariaLabel);
    assert.equal(await focused(), `Print slip ${wanted.barcode}`);
    await desk.keyboard.press("Enter");
    assert.equal((await printing.next()).title, "Hold");
    await desk.expectFocusInScanField();
    await desk.scan("no-such-barcode");
    await desk.expectRow("no-such-barcode", /No item has the barcode/);
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("a patron gets a due date receipt", async () => {
    const { itemBarcode, userBarcode } = await patronAndItem(library);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.scanPatron(userBarcode);
    await desk.keyboard.press("Alt+Shift+7"); // without loans, nothing is printed
    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /Due /);
    await assertAccessible(browser.page, "check-out with a receipt");
    await desk.keyboard.press("Alt+Shift+7");
    const { title, slips } = await printing.next();
    assert.equal(title, "Due date receipt");
    assert.equal(slips.length, 1);
    assert.match(slips[0], new RegExp(`${itemBarcode}.*Due \\w+ \\d+, \\d{4}`, "s"));
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan(itemBarcode);
    await desk.expectRow(itemBarcode, /Returned from/);
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("of a long list those near the window are drawn, and all are printed", async () => {
    const pickSlips = Array.from({ length: 300 }, (_, n) => ({
      item: { title: `Title ${n}`, barcode: `many-${n}` },
      request: { requestID: `request-${n}` },
      requester: {},
    }));
    const many = { status: 200, json: { pickSlips, totalRecords: pickSlips.length } };
    await browser.page.route("**/circulation/pick-slips/*", (call) => call.fulfill(many));
    await desk.keyboard.press("Alt+Shift+6");
    const rows = browser.page.getByText(/^Title \d+$/);
    await browser.page.getByText("Title 0", { exact: true }).waitFor();
    assert.ok((await rows.count()) < 100);
    await browser.page.evaluate(() => window.scrollTo({ top: 1e6, behavior: "instant" }));
    await browser.page.getByText("Title 299", { exact: true }).waitFor();
    assert.ok((await rows.count()) < 100);
    await assertAccessible(browser.page, "the end of many slips");
    await browser.page.getByRole("button", { name: "Print 300 pick slips" }).click();
    assert.equal((await printing.next()).slips.length, 300);
    await browser.page.unroute("**/circulation/pick-slips/*");
    await desk.task("Check in", "Alt+Shift+2");
  });

  test("the page says if there is nothing to fetch", async () => {
    const none = { status: 200, json: { pickSlips: [], totalRecords: 0 } };
    await browser.page.route("**/circulation/pick-slips/*", (call) => call.fulfill(none));
    await desk.keyboard.press("Alt+Shift+6");
    await browser.page
      .getByText(`Nothing is to be fetched from the shelves of ${SERVICE_POINT}.`)
      .waitFor();
    await assertAccessible(browser.page, "no slips");
  });

  test("the templates were read only once", () => assert.equal(templatesRead, 1));
});

describe("a service point", () => {
  let here;

  before(async () => {
    here = await servicePointNamed(library, SERVICE_POINT);
  });

  test("prints hold slips without being asked, one after the other", async () => {
    const staffSlips = [{ id: await slipNamed("Hold"), printByDefault: true }];
    await change(library, `/service-points/${here}`, { staffSlips });
    const items = [await requestedItem(library, here), await requestedItem(library, here)];
    await browser.page.goto("/check-in");
    await desk.expectFocusInScanField();
    await desk.scan(items[0].barcode);
    const first = await printing.next();
    assert.equal(first.title, "Hold");
    assert.deepEqual(first.barCodes, [items[0].barcode]);
    await desk.expectFocusInScanField();
    await desk.scan(items[1].barcode);
    assert.deepEqual((await printing.next()).barCodes, [items[1].barcode]);
    await desk.task("Check out", "Alt+Shift+1");
    await desk.task("Check in", "Alt+Shift+2");
    await desk.scan("no-such-barcode");
    await desk.expectRow("no-such-barcode", /No item has the barcode/);
    assert.equal(await browser.page.evaluate(() => window.printed.length), 0, "nothing twice");
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("says why it prints no receipts", async () => {
    const path = `/staff-slips-storage/staff-slips/${await slipNamed("Due date receipt")}`;
    await change(library, path, { active: false });
    await browser.page.goto("/check-out");
    await desk.expectFocusInScanField();
    const keyboard = new Keyboard(browser.page);
    for (const name of [/Print receipt/, "E-mail receipt…"]) {
      const button = browser.page.getByRole("button", { name });
      await keyboard.to(button);
      assert.equal(await button.getAttribute("aria-disabled"), "true");
      await browser.page
        .getByRole("tooltip", { name: /no active staff slip.*“Due date receipt”/ })
        .waitFor();
    }
    await keyboard.to(browser.page.getByLabel("Patron barcode"), "Shift+Tab"); // the reason is hidden again
    await assertAccessible(browser.page, "check-out without a receipt");
  });
});
