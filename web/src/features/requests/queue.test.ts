import { describe, expect, test } from "vitest";
import type { Request } from "../../api/requests";
import { fixedTop, moved, placesOf } from "./queue";

const request = (id: string, changes: Partial<Request> = {}): Request =>
  ({ id, requestType: "Hold", status: "Open - Not yet filled", ...changes }) as Request;

const BEGUN = { status: "Open - Awaiting pickup" } as const;
const QUEUE = ["a", "b", "c", "d"].map((id) => request(id));
const idsOf = (queue: readonly Request[]) => queue.map(({ id }) => id).join("");

describe("the requests that keep their places", () => {
  test.each([
    ["item", QUEUE, 0],
    ["item", [request("a", { requestType: "Page" }), request("b")], 1],
    ["item", [request("a", BEGUN), request("b", BEGUN)], 1],
    ["instance", [request("a", BEGUN), request("b", BEGUN), request("c")], 2],
    ["instance", [request("a", BEGUN)], 1],
    ["instance", [], 0],
  ] as const)("of the queue of an %s: %#", (kind, queue, count) => {
    expect(fixedTop(queue, kind)).toBe(count);
  });
});

describe("a request moves", () => {
  test.each([
    ["d", "b", "before", 0, "adbc"],
    ["a", "c", "after", 0, "bcad"],
    ["d", "a", "before", 1, "adbc"],
    ["a", "c", "after", 1, "abcd"],
    ["b", "b", "before", 0, "abcd"],
  ] as const)("%s to %s %s with %i fixed", (id, target, place, fixed, order) => {
    expect(idsOf(moved(QUEUE, new Set([id]), { id: target, place }, fixed))).toBe(order);
  });
});

test("the places are numbered without a gap", () => {
  expect(placesOf(QUEUE.slice(0, 2))).toEqual([
    { id: "a", newPosition: 1 },
    { id: "b", newPosition: 2 },
  ]);
});
