import { expect, test } from "vitest";
import { requestQuery, requestSearchOf } from "./requestSearch";

const OPEN =
  '(status==("Open - Not yet filled" or "Open - In transit" or "Open - Awaiting pickup" or "Open - Awaiting delivery"))';

test.each([
  [{}, `${OPEN} sortby requestDate`],
  [
    { q: "12", in: "item", types: ["Hold"], pickup: "desk", sort: "title", down: true },
    `(item.barcode=="12*") and ${OPEN} and (requestType==("Hold")) and (pickupServicePointId=="desk") sortby instance.title/sort.descending`,
  ],
  [
    { statuses: ["Closed - Filled"], q: "Reader", in: "requester" },
    '(requester.barcode=="Reader*" or requester.lastName=="Reader*") and (status==("Closed - Filled")) sortby requestDate',
  ],
] as const)("the query of %o", (search, query) => {
  expect(requestQuery(requestSearchOf(search))).toBe(query);
});

test("an address that means nothing asks for open requests", () => {
  const raw = { q: "", in: "shoe", statuses: ["x"], types: "Hold", sort: "y", down: 1, pickup: 3 };
  expect(requestSearchOf(raw)).toEqual({});
});
