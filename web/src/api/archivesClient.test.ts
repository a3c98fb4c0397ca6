import { describe, expect, test } from "vitest";
import { addressOf, archivesError, isStale } from "./archivesClient";
import { ConnectionLostError, RefusedError, SessionExpiredError } from "./errors";

test.each([
  ["/repositories", {}, "/archivesspace/repositories"],
  ["/search", { q: "a b", page: 1, sort: undefined, dt: "" }, "/archivesspace/search?q=a+b&page=1"],
  ["/search", { type: ["a", "b"] }, "/archivesspace/search?type%5B%5D=a&type%5B%5D=b"],
])("%s with %o is %s", (path, query, address) => {
  expect(addressOf(path, query)).toBe(address);
});

describe("a refusal of the archives", () => {
  test.each([
    [412, { code: "SESSION_GONE", error: "No session found for T" }, SessionExpiredError],
    [401, {}, SessionExpiredError],
    [503, "", ConnectionLostError],
    [503, { error: "The search index is being built" }, RefusedError],
    [400, { error: { title: ["Property is required but was missing"] } }, RefusedError],
  ])("%i %o is a %o", (status, body, kind) => {
    expect(archivesError(status, body)).toBeInstanceOf(kind);
  });

  test.each([
    ["extents/0/extent_type", "extent 1, extent type: Wrong"],
    ["notes/2/subnotes/0/content", "note 3, subnote 1, content: Wrong"],
    ["id_0", "id 0: Wrong"],
  ])("about %s reads %o", (place, text) => {
    expect(archivesError(400, { error: { [place]: ["Wrong"] } }).message).toBe(text);
  });

  test("because of another's change is told from other conflicts", () => {
    const stale = "The record you tried to update has been modified since you fetched it.";
    expect(isStale(archivesError(409, { error: stale }))).toBe(true);
    expect(isStale(archivesError(409, { error: "Repository not empty" }))).toBe(false);
  });
});
