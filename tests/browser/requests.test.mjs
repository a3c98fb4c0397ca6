/** Requests: found, placed, put into another order by keyboard, cancelled with a reason. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { Keyboard } from "./keyboard.mjs";
import { change, openLibrary, patronAndItem, servicePointNamed } from "./library.mjs";
import { loseAnswer, saveTwice } from "./lostAnswer.mjs";
import { AFTER, BEFORE, drag } from "./mouse.mjs";
import { openStaff, screen } from "./staff.mjs";
import { makePatron } from "./thursdays.mjs";

const DESK = "Circ Desk 1";

let page;
let close;
let library;
let item;
let waiting;
let keyboard;

/** Lends an item and lets three patrons wait for it; gives their last names by place. */
async function queueOfThree() {
  const servicePointId = await servicePointNamed(library, DESK);
  const { itemBarcode, userBarcode } = await patronAndItem(library);
  const lent = await library.post("/circulation/check-out-by-barcode", {
    ...{ itemBarcode, userBarcode, servicePointId },
  });
  assert.equal(lent.status, 201);
  [item] = (await library.get("/inventory/items", `barcode=="${itemBarcode}"`, 1)).items;
  const { instanceId } = await library.read(`/holdings-storage/holdings/${item.holdingsRecordId}`);
  const { users } = await library.get("/users", 'active==true and barcode="" sortby barcode', 60);
  const names = [];
  for (const { id: requesterId, personal } of users) {
    if (names.length === 3) break;
    if (names.includes(personal.lastName)) continue;
    const answer = await library.post("/circulation/requests", {
      ...{ requestType: "Hold", requestLevel: "Item", fulfillmentPreference: "Hold Shelf" },
      ...{ itemId: item.id, holdingsRecordId: item.holdingsRecordId, instanceId, requesterId },
      ...{ pickupServicePointId: servicePointId, requestDate: new Date().toISOString() },
    });
    if (answer.status === 201) names.push(personal.lastName);
  }
  assert.equal(names.length, 3, "three patrons may wait for the item");
  return names;
}

const queue = () => page.getByRole("grid", { name: "Queue" }).getByRole("row");
const orderShown = async () => {
  const texts = await queue().allTextContents();
  return texts.map((text) => waiting.find((name) => text.includes(name))).join();
};

/** Where the request that is moved by keyboard would go now. */
const placeInFocus = () =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "no place");

before(async () => {
  library = await openLibrary();
  waiting = await queueOfThree();
  ({ page, close } = await openStaff("/requests", { servicePoint: DESK }));
  keyboard = new Keyboard(page);
});

after(() => close?.());

test("a request is found by the barcode of its item", async () => {
  const search = page.getByRole("searchbox", { name: "Search requests" });
  await search.waitFor();
  await search.fill(item.barcode);
  await page.keyboard.press("Enter");
  await expectEventually(() => page.getByText(/^\d+ requests?$/).textContent(), "3 requests");
  await page.getByRole("row").nth(1).waitFor();
  await assertAccessible(page, "the requests");
  await screen(page, "requests");
  await page.getByRole("row").filter({ hasText: waiting[0] }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cancel the request…" }).waitFor();
  await assertAccessible(page, "a request");
  await screen(page, "request");
});

test("the last of a queue becomes the first, by keyboard alone", async () => {
  await page.getByRole("button", { name: "Queue", exact: true }).click();
  await expectEventually(orderShown, waiting.join());
  await assertAccessible(page, "a queue");
  await queue().first().focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await expectEventually(placeInFocus, /^Insert/);
  for (let n = 0; n < 6 && !(await placeInFocus()).startsWith("Insert before 1."); n++) {
    await page.keyboard.press("ArrowUp");
  }
  await expectEventually(placeInFocus, /^Insert before 1\./);
  await page.keyboard.press("Enter");
  const wanted = [waiting[2], waiting[0], waiting[1]].join();
  await expectEventually(orderShown, wanted);
  const stored = async () => {
    const { requests } = await library.read(`/circulation/requests/queue/item/${item.id}`);
    return requests.map(({ requester }) => requester.lastName).join();
  };
  await expectEventually(stored, wanted);
  await screen(page, "request-queue");
});

test("a request is dragged to another place with the mouse, and back", async () => {
  const [first, second, third] = [waiting[2], waiting[0], waiting[1]];
  const entry = (name) => queue().filter({ hasText: name });
  const saved = async () => {
    const { requests } = await library.read(`/circulation/requests/queue/item/${item.id}`);
    return requests.map(({ requester }) => requester.lastName).join();
  };
  await drag(page, entry(first), entry(second), AFTER);
  await expectEventually(saved, [second, first, third].join());
  await expectEventually(orderShown, [second, first, third].join());
  await drag(page, entry(first), entry(second), BEFORE);
  await expectEventually(saved, [first, second, third].join());
  await expectEventually(orderShown, [first, second, third].join());
});

test("of a long queue those on the screen are drawn, and the last becomes the first by keyboard", async () => {
  const path = `/circulation/requests/queue/item/${item.id}`;
  const { requests } = await library.read(path);
  const many = Array.from({ length: 300 }, (_, n) => ({
    ...{ ...requests[0], id: `${requests[0].id.slice(0, -4)}${String(n).padStart(4, "0")}` },
    requester: { lastName: `Reader ${n}`, barcode: `reader-${n}` },
  }));
  let order = many;
  await page.route(`**/folio${path}**`, (route) => {
    if (route.request().method() === "GET") {
      return route.fulfill({ json: { requests: order, totalRecords: order.length } });
    }
    const { reorderedQueue } = route.request().postDataJSON();
    const byId = new Map(many.map((request) => [request.id, request]));
    order = reorderedQueue
      .toSorted((one, other) => one.newPosition - other.newPosition)
      .map(({ id }) => byId.get(id));
    return route.fulfill({ json: { requests: order, totalRecords: order.length } });
  });
  await page.reload();
  const named = (n) => queue().filter({ hasText: `Reader ${n}` });
  await named(0).first().waitFor();
  assert.ok((await queue().count()) < 100);
  await assertAccessible(page, "a long queue");
  await keyboard.toRow(named(0).first());
  await keyboard.press("End");
  await named(299).waitFor();
  assert.ok((await queue().count()) < 100);
  await keyboard.press("ArrowRight", "Enter");
  await expectEventually(placeInFocus, /^Insert/);
  await keyboard.press("Home");
  await expectEventually(placeInFocus, /^Insert before 1\./);
  await keyboard.press("Enter");
  await expectEventually(async () => order[0].requester.lastName, "Reader 299");
  assert.equal(order.length, 300);
  await named(299).waitFor();
  const turn = (event) =>
    page.evaluate((name) => window.dispatchEvent(new Event(name)), `${event}print`);
  await turn("before");
  assert.equal(await queue().count(), 300);
  await turn("after");
  await page.setViewportSize({ width: 360, height: 740 });
  await named(0).first().waitFor();
  const isTooWide = () =>
    page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(await isTooWide(), false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.unroute(`**/folio${path}**`);
  await page.reload();
  await expectEventually(orderShown, [waiting[2], waiting[0], waiting[1]].join());
});

test("a request is cancelled with a reason, by keyboard alone", async () => {
  await keyboard.toRow(queue().filter({ hasText: waiting[2] }));
  await keyboard.activate(page.getByRole("link", { name: new RegExp(waiting[2]) }), "ArrowRight");
  await keyboard.activate(page.getByRole("button", { name: "Cancel the request…" }));
  const dialog = page.getByRole("dialog");
  await keyboard.choose(dialog.getByRole("button", { name: /Reason/ }), "Item Not Available");
  await keyboard.activate(dialog.getByRole("button", { name: "Cancel the request" }));
  await page.getByText("Closed - Cancelled").waitFor();
});

test("a request is placed, by keyboard alone", async () => {
  const reader = await makePatron(library, "requests-fourth", "Quillfeather");
  await page.goto("/requests/new");
  await keyboard.fill(page.getByRole("searchbox", { name: "Item barcode" }), item.barcode);
  await keyboard.press("Enter");
  await page.getByText("Checked out").waitFor();
  const requester = page.getByRole("combobox", { name: "Requester" });
  const found = page.getByRole("option", { name: "Quillfeather, Tova · requests-fourth" });
  for (const typed of ["quillf", "requests-fourth", "Quillfeather, Tova · requests-fourt"]) {
    await keyboard.fill(requester, typed);
    await found.waitFor();
    await keyboard.press("Escape");
    await found.waitFor({ state: "hidden" });
  }
  await keyboard.find(requester, "Quillfeather, Tova · requests-fourth");
  const place = page.getByRole("button", { name: "Place the request" });
  await expectEventually(() => place.getAttribute("aria-disabled"), null);
  await keyboard.activate(place);
  await page.getByText("Open - Not yet filled").waitFor();
  const { requests } = await library.read(`/circulation/requests/queue/item/${item.id}`);
  assert.equal(requests.at(-1).requesterId, reader.id);
});

test("a requester who fits can be chosen while what was typed last is still looked for", async () => {
  await makePatron(library, "requests-sixth", "Quaggastripe");
  await page.goto("/requests/new");
  const requester = page.getByRole("combobox", { name: "Requester" });
  await keyboard.fill(requester, "qu");
  await page.getByRole("option", { name: "Quillfeather, Tova · requests-fourth" }).waitFor();
  const other = page.getByRole("option", { name: "Quaggastripe, Tova · requests-sixth" });
  await other.waitFor();
  const users = "**/folio/users?*";
  const asked = page.waitForRequest((request) => request.url().includes("quillfea"));
  // The server does not answer.
  await page.route(users, () => undefined);
  await keyboard.type("illfea");
  await asked;
  await other.waitFor({ state: "detached" });
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expectEventually(() => requester.inputValue(), "Quillfeather, Tova · requests-fourth");
  await page.unroute(users);
});

test("a request whose answer was lost is placed only once", async () => {
  const reader = await makePatron(library, "requests-fifth", "Pennyroyal");
  await page.goto("/requests/new");
  await keyboard.fill(page.getByRole("searchbox", { name: "Item barcode" }), item.barcode);
  await keyboard.press("Enter");
  await page.getByText("Checked out").waitFor();
  const requester = page.getByRole("combobox", { name: "Requester" });
  await keyboard.find(requester, "Pennyroyal, Tova · requests-fifth");
  const place = page.getByRole("button", { name: "Place the request" });
  await expectEventually(() => place.getAttribute("aria-disabled"), null);
  await loseAnswer(page, "/circulation/requests");
  await saveTwice(page, () => keyboard.activate(place));
  await page.getByText("Open - Not yet filled").waitFor();
  const { requests } = await library.read(`/circulation/requests/queue/item/${item.id}`);
  assert.equal(requests.filter(({ requesterId }) => requesterId === reader.id).length, 1);
});

test("what two people change of one request is kept", async () => {
  const url = new URL(page.url());
  const path = `/circulation${url.pathname}`;
  await keyboard.activate(page.getByRole("button", { name: "Edit…" }));
  const dialog = page.getByRole("dialog");
  await keyboard.choose(dialog.getByRole("button", { name: /Pickup at/ }), "Circ Desk 2");
  const requestExpirationDate = "2031-05-06T23:59:59.000+00:00";
  await change(library, path, { requestExpirationDate });
  const save = dialog.getByRole("button", { name: "Save" });
  await keyboard.activate(save);
  await dialog.getByText("Their changes are in the form now: Expires.").waitFor();
  await keyboard.activate(save);
  await dialog.waitFor({ state: "hidden" });
  const saved = await library.read(path);
  assert.match(saved.requestExpirationDate, /^2031-05-06/);
  assert.equal(saved.pickupServicePoint.name, "Circ Desk 2");
});
