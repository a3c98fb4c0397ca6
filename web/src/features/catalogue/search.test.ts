import { describe, expect, test } from "vitest";
import { addressOf, type CatalogueSearch, filterOf, queryOf, readSearch } from "./search";

const search = (changes: Partial<CatalogueSearch>): CatalogueSearch => ({
  ...readSearch({}),
  ...changes,
});

describe("a search as CQL", () => {
  test.each<[Partial<CatalogueSearch>, string]>([
    [{}, "cql.allRecords=1"],
    [{ text: " history of lighthouses " }, 'keyword all "history of lighthouses"'],
    [{ text: "sea fog", by: "title", how: "any" }, 'title any "sea fog"'],
    [{ text: "sea fog", by: "subject", how: "phrase" }, 'subjects=="sea fog"'],
    [{ text: "sea fog", by: "title", how: "exact" }, 'title==/string "sea fog"'],
    [{ text: "The sea", by: "title", how: "starts" }, 'title=="The sea*"'],
    [{ text: "3010*", by: "barcode", how: "exact" }, 'items.barcode="3010\\*"'],
    [{ text: "3010", by: "barcode", how: "starts" }, 'items.barcode=="3010*"'],
    [{ text: 'a "b"', by: "title", how: "all" }, 'title all "a \\"b\\""'],
    [
      { text: "QA 76", by: "call-number", how: "starts" },
      '(itemNormalizedCallNumbers=="QA 76*" or holdingsNormalizedCallNumbers=="QA 76*")',
    ],
    [{ text: "title=x or title=y", by: "cql" }, "(title=x or title=y)"],
  ])("%o", (changes, cql) => {
    expect(filterOf(search(changes))).toBe(cql);
  });

  test("chosen values of facets narrow it, and the order follows", () => {
    const only = { "items.status.name": ["Available", "Missing"], languages: [] };
    expect(queryOf(search({ text: "sea", only, sort: "-title" }))).toBe(
      'keyword all "sea" and items.status.name==("Available" or "Missing") sortby title/sort.descending',
    );
  });
});

describe("a search in the address", () => {
  test("what is as usual is left out", () => {
    expect(addressOf(search({}))).toEqual({});
    expect(addressOf(search({ by: "barcode", how: "exact" }))).toEqual({ by: "barcode" });
  });

  test("is read as it was written", () => {
    const given = search({
      text: "42",
      by: "title",
      how: "phrase",
      sort: "title",
      only: { languages: ["ger"] },
    });
    expect(readSearch(addressOf(given))).toEqual(given);
  });

  test("what is not understood is left out", () => {
    const odd = {
      q: 42,
      by: "nothing",
      how: "nothing",
      sort: 3,
      only: { odd: ["x"], source: "x" },
    };
    expect(readSearch(odd)).toEqual(search({ text: "42" }));
  });
});
