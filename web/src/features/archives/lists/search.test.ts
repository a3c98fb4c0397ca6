import { describe, expect, test } from "vitest";
import { KIND_NAMES, KINDS } from "./kinds";
import { facetsOf, listStateOf, queryOf, searchOf } from "./search";

const RESOURCES = listStateOf({});

describe("a list in the address", () => {
  test.each([
    [{}, { kind: "resources", q: "", filters: {} }],
    [
      { kind: "nonsense", filters: "x" },
      { kind: "resources", q: "", filters: {} },
    ],
    [
      { kind: "agents", q: 1984, filters: { source: ["lcnaf"], rules: [] } },
      { kind: "agents", q: "1984", filters: { source: ["lcnaf"] } },
    ],
    [
      { sort: "title descending" },
      { ...RESOURCES, sort: { column: "title", direction: "descending" } },
    ],
  ])("%o is %o", (search, state) => {
    expect(listStateOf(search)).toEqual(state);
  });

  test("comes back as it was", () => {
    const state = listStateOf({ kind: "subjects", q: "maps", filters: { source: ["aat"] } });
    expect(listStateOf(searchOf(state))).toEqual(state);
  });
});

describe("the search of a list", () => {
  test("is by title, and asks for counts with the first page only", () => {
    expect(queryOf(RESOURCES, 1)).toMatchObject({
      type: ["resource"],
      sort: "title_sort asc",
      facet: ["level", "publish", "subjects", "creators"],
    });
    expect(queryOf(RESOURCES, 2)).toMatchObject({ page: 2, facet: [] });
  });

  test("with words shows what fits best first, unless a column sorts", () => {
    expect(queryOf({ ...RESOURCES, q: "maps" }, 1).sort).toBeUndefined();
    const sort = { column: "title", direction: "descending" } as const;
    expect(queryOf({ ...RESOURCES, q: "maps", sort }, 1).sort).toBe("title_sort desc");
  });

  test("takes any chosen value of a facet, and all facets", () => {
    const filters = { level: ["series", "file"], subjects: ["Maps"] };
    const filter = JSON.parse(String(queryOf({ ...RESOURCES, filters }, 1).filter));
    expect(filter.query.op).toBe("AND");
    expect(filter.query.subqueries.map(({ op, subqueries }: never) => [op, subqueries])).toEqual([
      ["OR", ["series", "file"].map((value) => expect.objectContaining({ field: "level", value }))],
      ["OR", [expect.objectContaining({ field: "subjects", value: "Maps", literal: true })]],
    ]);
  });

  test("every kind can be sorted by its first column", () => {
    for (const kind of KIND_NAMES) expect(KINDS[kind].columns[0]?.sortField).toBeDefined();
  });
});

test("facets have their counts, and the chosen values stay", () => {
  const page = {
    this_page: 1,
    last_page: 1,
    total_hits: 2,
    results: [],
    facets: { facet_fields: { level: ["series", 12, "otherlevel", 3] } },
  };
  const facets = facetsOf({ ...RESOURCES, filters: { level: ["fonds"] } }, page);
  expect(facets).toEqual([
    {
      id: "level",
      title: "Level",
      values: [
        { id: "series", label: "Series", count: 12 },
        { id: "otherlevel", label: "Other level", count: 3 },
        { id: "fonds", label: "Fonds", count: 0 },
      ],
    },
  ]);
});
