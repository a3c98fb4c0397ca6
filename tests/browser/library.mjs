/** What the tests need to know of the library they meet, asked over the API as any client would. */
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
  const get = async (path, query, limit) => {
    const search = new URLSearchParams({ query, limit: String(limit) });
    const response = await fetch(`${CARREL_URL}/folio${path}?${search}`, { headers });
    assert.equal(response.status, 200, `GET ${path}`);
    return response.json();
  };
  const post = (path, body) =>
    fetch(`${CARREL_URL}/folio${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { get, post };
}

/** The barcodes of items on the shelf. */
export async function availableItems({ get }, count) {
  const { items } = await get("/inventory/items", 'status.name=="Available" and barcode=""', count);
  assert.equal(items.length, count, "the library has enough items on the shelf");
  return items.map((item) => item.barcode);
}

/** A patron and an item the server would lend to them, found by dry runs. */
export async function lendablePair(library) {
  const items = await availableItems(library, 10);
  const { users } = await library.get("/users", 'active==true and barcode="" sortby username', 20);
  for (const { barcode: userBarcode, personal } of users) {
    for (const itemBarcode of items) {
      const body = { itemBarcode, userBarcode };
      const answer = await library.post("/circulation/check-out-by-barcode-dry-run", body);
      if (answer.status === 201) return { itemBarcode, userBarcode, lastName: personal.lastName };
    }
  }
  assert.fail("the library lends something to somebody");
}

/** How many loans of the item with this barcode are open. */
export async function openLoansOf({ get }, barcode) {
  const { items } = await get("/inventory/items", `barcode=="${barcode}"`, 1);
  const query = `(itemId=="${items[0].id}" and status.name=="Open")`;
  return (await get("/circulation/loans", query, 10)).totalRecords;
}
