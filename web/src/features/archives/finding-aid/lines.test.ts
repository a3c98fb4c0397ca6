import { describe, expect, test } from "vitest";
import { changed, treeOf } from "../tree/model";
import { childNamed, ROOT, sampleTree } from "../tree/samples";
import { anchorAt, heightOf, layoutOf, lineAt, linesOf, topOf, waypointsBetween } from "./lines";

/** Five components, of which the third to fifth were not read yet; the second has two below it, not read either. */
function partly() {
  const top = { uri: ROOT, title: "Top", child_count: 5, waypoint_size: 2 };
  const tree = treeOf({ ...top, precomputed_waypoints: {} });
  return changed(tree, {
    kind: "read",
    parent: ROOT,
    waypoint: 0,
    children: [childNamed("a"), childNamed("b", 2)],
  });
}

describe("the lines of a finding aid", () => {
  test("come as a reader turns the pages", () => {
    const lines = linesOf(sampleTree("a(b c(d)) e"));
    expect(lines.map(({ uri, depth }) => `${uri} ${depth}`)).toEqual([
      "a 1",
      "b 2",
      "c 2",
      "d 3",
      "e 1",
    ]);
  });

  test("are runs where the tree was not read yet", () => {
    expect(
      linesOf(partly()).map(({ uri, position, count, depth }) => [uri, position, count, depth]),
    ).toEqual([
      ["a", 0, 1, 1],
      ["b", 1, 1, 1],
      [undefined, 0, 2, 2],
      [undefined, 2, 3, 1],
    ]);
  });
});

describe("the layout", () => {
  const layout = layoutOf(linesOf(partly()), new Map([["a", 100]]));

  test("takes measured heights, and guesses the others", () => {
    expect(layout.tops).toEqual([0, 100, 140, 220, 340]);
    expect(heightOf(layout)).toBe(340);
  });

  test("of ever so many components stays within what browsers draw", () => {
    const child_count = 5_000_000;
    const tree = treeOf({
      uri: ROOT,
      title: "",
      child_count,
      waypoint_size: 200,
      precomputed_waypoints: {},
    });
    expect(heightOf(layoutOf(linesOf(tree), new Map()))).toBeCloseTo(20_000_000);
  });

  test("of no components is empty", () => {
    const none = layoutOf([], new Map());
    expect([heightOf(none), lineAt(none, 10), anchorAt(none, 10)]).toEqual([0, 0, undefined]);
  });

  test.each([
    [-50, 0],
    [0, 0],
    [99, 0],
    [100, 1],
    [339, 3],
    [9999, 3],
  ])("has at %i the line %i", (y, line) => {
    expect(lineAt(layout, y)).toBe(line);
  });

  test("has no anchor above the first line", () => {
    expect(anchorAt(layout, 0)).toBeUndefined();
  });

  test.each([
    [30, { parent: ROOT, position: 0, above: 30 }],
    [185, { parent: "b", position: 1, above: 5 }],
    [305, { parent: ROOT, position: 4, above: 5 }],
  ])("is anchored %i pixels down at %j", (y, anchor) => {
    expect(anchorAt(layout, y)).toEqual(anchor);
    expect((topOf(layout, anchor.parent, anchor.position) ?? 0) + anchor.above).toBe(y);
  });

  test("keeps the anchor when lines above it are read", () => {
    const anchor = anchorAt(layout, 305);
    const children = [childNamed("x", 3), childNamed("y")];
    const read = changed(partly(), { kind: "read", parent: "b", waypoint: 0, children });
    const grown = layoutOf(linesOf(read), new Map([["a", 100]]));
    expect(topOf(grown, anchor?.parent ?? "", anchor?.position ?? 0)).toBe(300 + 3 * 40);
  });

  test("knows no place that is not in the tree", () => {
    expect(topOf(layout, "b", 2)).toBeUndefined();
  });

  test("wants the waypoints between two heights only", () => {
    expect(waypointsBetween(layout, 0, 139, 2)).toEqual([]);
    expect(waypointsBetween(layout, 0, 230, 2)).toEqual([
      { parent: "b", waypoint: 0 },
      { parent: ROOT, waypoint: 1 },
    ]);
    expect(waypointsBetween(layout, 310, 9999, 2)).toEqual([{ parent: ROOT, waypoint: 2 }]);
  });
});
