import { describe, expect, test } from "vitest";
import { type PatronSearch, patronQuery, patronSearchOf } from "./patronSearch";

const BY_NAME = "sortby personal.lastName personal.firstName";

describe("the query for patrons", () => {
  test.each<[PatronSearch, string]>([
    [{}, `cql.allRecords=1 ${BY_NAME}`],
    [{ q: "Smith, An" }, `(keywords all "Smith* An*") ${BY_NAME}`],
    [{ q: "12", in: "barcode" }, `(barcode=="12*") ${BY_NAME}`],
    [{ q: "a@b", in: "email" }, `(personal.email=="a@b*") ${BY_NAME}`],
    [{ active: "no", groups: ["g"] }, `(active==false) and (patronGroup==("g")) ${BY_NAME}`],
    [{ sort: "expires", down: true }, "cql.allRecords=1 sortby expirationDate/sort.descending"],
  ])("of %o", (search, query) => {
    expect(patronQuery(search)).toBe(query);
  });

  test("finds each word of a name in one of the names", () => {
    expect(patronQuery({ q: "Smi An", in: "name" })).toMatch(
      /^\(\(personal\.lastName all "Smi\*" or .*\) and \(personal\.lastName all "An\*" or /,
    );
  });
});

test.each<[Record<string, unknown>, PatronSearch]>([
  [{}, {}],
  [
    { q: 20101, in: "barcode" },
    { q: "20101", in: "barcode" },
  ],
  [{ q: "", in: "any", active: "maybe", groups: "x", sort: "shoe", down: "yes" }, {}],
  [
    { active: "yes", groups: ["a", 3], down: true },
    { active: "yes", groups: ["a"], down: true },
  ],
])("an address with %o asks for %o", (raw, search) => {
  expect(patronSearchOf(raw)).toEqual(search);
});
