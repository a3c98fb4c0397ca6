import { describe, expect, test } from "vitest";
import { AREAS, areaOf, shownAreas } from "./areas";

describe("the areas", () => {
  test.each([
    ["/patrons/42/loans", "Patrons"],
    ["/check-in", "Desk"],
    ["/catalogue", "Catalogue"],
    ["/catalogues", undefined],
  ])("%s belongs to %s", (path, label) => {
    expect(areaOf(AREAS, path)?.label).toBe(label);
  });

  test("an area without a page is not shown", () => {
    const shown = shownAreas((path) => path === "/check-out" || path === "/slips");
    expect(shown.map(({ label }) => label)).toEqual(["Desk"]);
    expect(shown[0]?.pages?.map(({ label }) => label)).toEqual(["Check out", "Slips"]);
  });

  test("no two pages share a shortcut", () => {
    const keys = AREAS.flatMap((area) => [area, ...(area.pages ?? [])]).map(({ keys }) => keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
