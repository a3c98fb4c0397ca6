/** What comes back to the desk and is not ordinary: earlier, in pieces, missing, claimed, late, in both modes at once. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { Desk } from "./desk.mjs";
import {
  availableItems,
  change,
  openLibrary,
  openLoansOf,
  patronAndItem,
  servicePointNamed,
} from "./library.mjs";
import { openStaff, screen } from "./staff.mjs";

const SERVICE_POINT = "Circ Desk 1";
const CHECK_OUT = "**/folio/circulation/check-out-by-barcode";

let browser;
let page;
let desk;
let library;
let pair;

before(async () => {
  library = await openLibrary();
  pair = await patronAndItem(library, await servicePointNamed(library, SERVICE_POINT));
  browser = await openStaff("/check-in", { servicePoint: SERVICE_POINT });
  page = browser.page;
  desk = new Desk(page);
  await desk.expectFocusInScanField();
});

after(() => browser?.close());

async function itemWith(barcode) {
  return (await library.get("/item-storage/items", `barcode=="${barcode}"`, 1)).items[0];
}

async function lend() {
  const { itemBarcode, userBarcode } = pair;
  const servicePointId = (await library.get("/service-points", `name=="${SERVICE_POINT}"`, 1))
    .servicepoints[0].id;
  const body = { itemBarcode, userBarcode, servicePointId };
  const answer = await library.post("/circulation/check-out-by-barcode", body);
  assert.equal(answer.status, 201);
  return answer.json();
}

describe("an item with notes and several pieces", () => {
  test("says so in its row and aloud, with one call", async () => {
    const { id, ...before } = await itemWith(pair.itemBarcode);
    const notes = [{ noteType: "Check in", note: "Look for the maps", staffOnly: true }];
    const pieces = { numberOfPieces: "3", descriptionOfPieces: "book and maps" };
    await change(library, `/item-storage/items/${id}`, { ...pieces, circulationNotes: notes });
    await lend();
    const calls = [];
    const follow = (request) => request.method() === "POST" && calls.push(request.url());
    page.on("request", follow);
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Look for the maps.*Several pieces.*book and maps/);
    page.off("request", follow);
    assert.equal(calls.length, 1);
    await page.getByRole("status").getByText("Look at the item.").waitFor({ state: "attached" });
    await assertAccessible(page, "an item with notes");
    await screen(page, "check-in-notes");
    const { numberOfPieces, descriptionOfPieces, circulationNotes = [] } = before;
    const earlier = { numberOfPieces, descriptionOfPieces, circulationNotes };
    await change(library, `/item-storage/items/${id}`, earlier);
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("an item that should not be here", () => {
  test("was missing: it is checked in, and its row says what it was", async () => {
    const [barcode] = await availableItems(library, 1);
    const { id } = await itemWith(barcode);
    const marked = await library.post(`/inventory/items/${id}/mark-missing`);
    assert.equal(marked.status, 200);
    await desk.scan(barcode);
    await desk.expectRow(barcode, /It had the status “Missing”/);
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("counted as lost without a lost loan: its row says where it goes, and why that is odd", async () => {
    const [barcode] = await availableItems(library, 1);
    const { id } = await itemWith(barcode);
    await change(library, `/item-storage/items/${id}`, { status: { name: "Lost and paid" } });
    await desk.scan(barcode);
    await desk.expectRow(barcode, /counted as lost, but.*It had the status “Lost and paid”/);
    const row = page.getByRole("listitem").filter({ hasText: barcode });
    assert.equal(await row.getAttribute("data-state"), "answered");
    assert.notEqual((await itemWith(barcode)).status.name, "Lost and paid");
    await page.keyboard.press("Alt+Shift+W");
    await page.getByRole("dialog").getByText("Checked in all the same").waitFor();
    await page.keyboard.press("Escape");
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
  });

  test("is claimed returned: staff say how it was found", async () => {
    const loan = await lend();
    const claim = { itemClaimedReturnedDateTime: new Date().toISOString(), comment: "Says so" };
    await library.post(`/circulation/loans/${loan.id}/claim-item-returned`, claim);
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /claimed to have returned this item/);
    await page.keyboard.press("Alt+Shift+3");
    await page.getByRole("dialog", { name: "Claimed returned" }).waitFor();
    await assertAccessible(page, "a claimed item");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await desk.expectRow(pair.itemBarcode, /It had the status “Claimed returned”/);
    await desk.expectFocusInScanField();
    const { action } = await library.read(`/circulation/loans/${loan.id}`);
    assert.equal(action, "checkedInReturnedByPatron");
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("an item from the book drop", () => {
  test("counts as returned when the drop was emptied last, until the session ends", async () => {
    const loan = await lend();
    await page.keyboard.press("Alt+Shift+4");
    await page.getByLabel("Returned at").first().waitFor();
    await page.keyboard.type("01012020");
    await assertAccessible(page, "an earlier return");
    await page.keyboard.press("Enter");
    await desk.expectFocusInScanField();
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Returned from/);
    const { returnDate } = await library.read(`/circulation/loans/${loan.id}`);
    assert.match(returnDate, /^20(19-12-31|20-01-0[12])T/);
    await desk.keyboard.press("Alt+Shift+0");
    await page.getByRole("button", { name: "Returned earlier…" }).waitFor();
  });
});

describe("an item that nobody has borrowed", () => {
  test("counts as used in the library, and stays on the shelf", async () => {
    const { id } = await itemWith(pair.itemBarcode);
    const checkIns = () => library.get("/check-in-storage/check-ins", `itemId=="${id}"`, 100);
    const { totalRecords: earlier } = await checkIns();
    await desk.scan(pair.itemBarcode);
    await desk.expectRow(pair.itemBarcode, /Counted as used in the library/);
    const stored = await checkIns();
    assert.equal(stored.totalRecords, earlier + 1);
    const [last] = stored.checkIns.toSorted((one, other) =>
      other.occurredDateTime.localeCompare(one.occurredDateTime),
    );
    assert.equal(last.itemStatusPriorToCheckIn, "Available");
    assert.equal(last.servicePointId, await servicePointNamed(library, SERVICE_POINT));
    assert.equal((await itemWith(pair.itemBarcode)).status.name, "Available");
    assert.equal(await openLoansOf(library, pair.itemBarcode), 0);
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("the list of the session", () => {
  test("is saved as a file", async () => {
    const [barcode] = await availableItems(library, 1);
    await desk.scan(barcode);
    await desk.expectRow(barcode, /Counted as used in the library/);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save list (CSV)" }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^check-in-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(lines.length, 2);
    assert.match(lines[0], /Returned,Due,Barcode,Title/);
    assert.ok(lines[1].includes(barcode), lines[1]);
    await desk.expectFocusInScanField();
    await desk.keyboard.press("Alt+Shift+0");
  });
});

describe("scans typed ahead across a change of mode", () => {
  test("keep their order and what they were scanned for, with one call each", async () => {
    const [first, second] = await availableItems(library, 2);
    const calls = [];
    await page.route(CHECK_OUT, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    const follow = (request) => {
      const what = /check-(in|out)-by-barcode/.exec(request.url())?.[1];
      if (what) calls.push(`${what} ${request.postDataJSON().itemBarcode}`);
    };
    page.on("request", follow);
    await desk.keyboard.press("Alt+Shift+1");
    await desk.scan(pair.userBarcode, pair.itemBarcode);
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(first, pair.itemBarcode);
    await desk.keyboard.press("Alt+Shift+1");
    await desk.scan(pair.itemBarcode);
    await desk.keyboard.press("Alt+Shift+2");
    await desk.scan(second, pair.itemBarcode);
    await desk.expectFocusInScanField();
    assert.deepEqual(await desk.expectAllAnswered(6), Array(6).fill("answered"));
    page.off("request", follow);
    await page.unroute(CHECK_OUT);
    const again = pair.itemBarcode;
    assert.deepEqual(calls, [
      ...[`out ${again}`, `in ${first}`, `in ${again}`, `out ${again}`],
      ...[`in ${second}`, `in ${again}`],
    ]);
    const shown = await desk.rows.evaluateAll((rows) => rows.map((row) => row.textContent));
    const kinds = shown.toReversed().map((text) => (/Due /.test(text) ? "lent" : "back"));
    assert.deepEqual(kinds, ["lent", "back", "back", "lent", "back", "back"]);
    assert.equal(await openLoansOf(library, again), 0);
    await screen(page, "desk-both-modes");
    await desk.keyboard.press("Alt+Shift+0");
  });
});
