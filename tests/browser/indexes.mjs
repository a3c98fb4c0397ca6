/** The indexes for searches of a new library: made by the first search of each kind. */
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds for all of them together. */
const PATIENCE = 180_000;
const SEARCHES = [
  "/folio/search/instances?query=keyword=a&limit=1",
  "/folio/search/authorities?query=keyword=a&limit=1",
  "/archivesspace/repositories/2/search?page=1&q=a",
];

/** Asks until every search has an answer. A server that is still making an index refuses. */
export async function makeIndexes(url, { tenant, user: username, password }) {
  const headers = { "X-Okapi-Tenant": tenant };
  const login = await fetch(`${url}/folio/authn/login`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  headers["X-Okapi-Token"] = login.headers.get("x-okapi-token");
  const end = Date.now() + PATIENCE;
  for (const search of SEARCHES) {
    for (;;) {
      const answer = await fetch(`${url}${search}`, { headers });
      if (answer.ok) break;
      if (Date.now() > end) throw new Error(`GET ${search}: ${answer.status}`);
      await pause(100);
    }
  }
}
