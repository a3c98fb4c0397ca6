/** What the tests need from the library, over the API like any client. */
import assert from "node:assert/strict";

const { CARREL_URL, CARREL_TENANT, CARREL_USER, CARREL_PASSWORD } = process.env;

/** A client of FOLIO's API on the staff port, signed in as the tests' user. */
export async function openLibrary() {
  const tenant = { "X-Okapi-Tenant": CARREL_TENANT, "Content-Type": "application/json" };
  const login = await fetch(`${CARREL_URL}/folio/authn/login`, {
    method: "POST",
    headers: tenant,
    body: JSON.stringify({ username: CARREL_USER, password: CARREL_PASSWORD }),
  });
  assert.equal(login.status, 201, "the tests' user can sign in");
  const headers = { ...tenant, "X-Okapi-Token": login.headers.get("x-okapi-token") };
  const read = async (path) => {
    const response = await fetch(`${CARREL_URL}/folio${path}`, { headers });
    assert.equal(response.status, 200, `GET ${path}`);
    return response.json();
  };
  const get = (path, query, limit) =>
    read(`${path}?${new URLSearchParams({ query, limit: String(limit) })}`);
  const send = (method) => (path, body) =>
    fetch(`${CARREL_URL}/folio${path}`, { method, headers, body: JSON.stringify(body) });
  return { read, get, post: send("POST"), put: send("PUT"), remove: send("DELETE") };
}

/** Changes members of the record at this path. */
export async function change({ read, put }, path, changes) {
  const answer = await put(path, { ...(await read(path)), ...changes });
  assert.equal(answer.status, 204, `PUT ${path}`);
}

/** The id of a service point. */
export async function servicePointNamed({ get }, name) {
  const { servicepoints } = await get("/service-points", `name=="${name}"`, 1);
  return servicepoints[0].id;
}

/** Available items on the shelves of a service point. */
async function itemsNear({ get }, servicePointId) {
  const { locations } = await get("/locations", `primaryServicePoint=="${servicePointId}"`, 100);
  const places = locations.map(({ id }) => `effectiveLocationId=="${id}"`).join(" or ");
  const query = `status.name=="Available" and barcode="" and (${places})`;
  return (await get("/inventory/items", query, 10)).items;
}

/** Places a page for an item on the shelves of a service point, for pickup there. */
export async function requestedItem(library, pickupServicePointId) {
  const items = await itemsNear(library, pickupServicePointId);
  const { users } = await library.get("/users", 'active==true and barcode="" sortby username', 10);
  for (const { id: requesterId, personal } of users) {
    for (const { id: itemId, barcode, holdingsRecordId } of items) {
      const { instanceId } = await library.read(`/holdings-storage/holdings/${holdingsRecordId}`);
      const answer = await library.post("/circulation/requests", {
        requestType: "Page",
        requestLevel: "Item",
        ...{ itemId, holdingsRecordId, instanceId, requesterId, pickupServicePointId },
        fulfillmentPreference: "Hold Shelf",
        requestDate: new Date().toISOString(),
      });
      if (answer.status !== 201) continue;
      const { id: requestId } = await answer.json();
      return { barcode, instanceId, requestId, lastName: personal.lastName };
    }
  }
  assert.fail("no patron may request any item");
}

/** Barcodes of available items. */
export async function availableItems({ get }, count) {
  const { items } = await get("/inventory/items", 'status.name=="Available" and barcode=""', count);
  assert.equal(items.length, count, "the library has enough items on the shelf");
  return items.map((item) => item.barcode);
}

/** A patron and an item that they may check out, found by dry runs; with a service point, an item from its shelves. */
export async function patronAndItem(library, servicePointId) {
  const items = servicePointId
    ? (await itemsNear(library, servicePointId)).map(({ barcode }) => barcode)
    : await availableItems(library, 10);
  const { users } = await library.get("/users", 'active==true and barcode="" sortby username', 20);
  for (const { barcode: userBarcode, personal } of users) {
    for (const itemBarcode of items) {
      const body = { itemBarcode, userBarcode };
      const answer = await library.post("/circulation/check-out-by-barcode-dry-run", body);
      if (answer.status === 201) return { itemBarcode, userBarcode, lastName: personal.lastName };
    }
  }
  assert.fail("no patron may borrow any item");
}

/** The number of open loans of the item with this barcode. */
export async function openLoansOf({ get }, barcode) {
  const { items } = await get("/inventory/items", `barcode=="${barcode}"`, 1);
  const query = `(itemId=="${items[0].id}" and status.name=="Open")`;
  return (await get("/circulation/loans", query, 10)).totalRecords;
}
