import { describe, expect, test } from "vitest";
import { type Change, changed, childCount, placeName, type Tree, treeOf } from "./model";
import { indexOfRow, missingWaypoints, nodesBetween, rowAt, rowsOf } from "./rows";
import { childNamed, inWords, ROOT, sampleTree } from "./samples";

const shown = (tree: Tree) => {
  const rows = rowsOf(tree);
  return Array.from({ length: rows.count }, (_, index) => rowAt(tree, rows, index)?.name);
};

const following = (tree: Tree, ...changes: Change[]) => changes.reduce(changed, tree);

const unread = (child_count: number) =>
  treeOf({ uri: ROOT, title: "Top", child_count, waypoint_size: 200, precomputed_waypoints: {} });

describe("the rows of a tree", () => {
  test.each([
    ["", ["top"]],
    ["a b", ["top", "a", "b"]],
    ["a(b c(d)) e", ["top", "a", "b", "c", "d", "e"]],
    ["a(b) c(d) e(f)", ["top", "a", "b", "c", "d", "e", "f"]],
  ])("of %o are its open nodes from the top down", (text, names) => {
    const tree = sampleTree(text);
    expect(shown(tree)).toEqual(names);
    const rows = rowsOf(tree);
    expect(names.map((name) => indexOfRow(tree, rows, name))).toEqual(names.map((_, at) => at));
  });

  test("say level, place and number of siblings", () => {
    const tree = sampleTree("a(b c(d)) e");
    const rows = rowsOf(tree);
    const said = [0, 1, 3, 4, 5].map((index) => {
      const row = rowAt(tree, rows, index);
      return [row?.name, row?.level, row?.position, row?.siblings];
    });
    expect(said).toEqual([
      ["top", 1, 0, 1],
      ["a", 2, 0, 2],
      ["c", 3, 1, 2],
      ["d", 4, 0, 1],
      ["e", 2, 1, 2],
    ]);
    expect(rowAt(tree, rows, 6)).toBeUndefined();
  });

  test("of a hundred thousand siblings are one range", () => {
    const tree = unread(100_000);
    const rows = rowsOf(tree);
    expect(rows.count).toBe(100_001);
    expect(rows.runs).toHaveLength(1);
    expect(rowAt(tree, rows, 100_000)?.name).toBe(placeName(ROOT, 99_999));
  });

  test("that wait for their nodes ask for the waypoints of these", () => {
    const tree = unread(1000);
    expect(missingWaypoints(tree, rowsOf(tree), 190, 405)).toEqual([
      { parent: ROOT, waypoint: 0 },
      { parent: ROOT, waypoint: 1 },
      { parent: ROOT, waypoint: 2 },
    ]);
    const read = sampleTree("a b c");
    expect(missingWaypoints(read, rowsOf(read), 0, 10)).toEqual([]);
  });
});

describe("reading, opening and closing", () => {
  test("a waypoint fills its places, and the last one tells the number of siblings", () => {
    const tree = following(unread(3), {
      kind: "read",
      parent: ROOT,
      waypoint: 0,
      children: ["a", "b"].map((uri) => childNamed(uri)),
    });
    expect(inWords(tree)).toBe("a b");
  });

  test("a focus that waited for its node goes on to it", () => {
    const tree = following(
      unread(2),
      { kind: "focus", row: placeName(ROOT, 1) },
      { kind: "read", parent: ROOT, waypoint: 0, children: [childNamed("a"), childNamed("b")] },
    );
    expect(tree.focus).toBe("b");
  });

  test.each([
    ["d", "a", "a"],
    ["c", "c", "c"],
    ["e", "a", "e"],
    [placeName("c", 5), "a", "a"],
    [placeName("c", 5), "c", "c"],
  ])("with the focus on %s, closing %s leaves it on %s", (focus, uri, left) => {
    const tree = following(sampleTree("a(b c(d)) e"), { kind: "focus", row: focus });
    expect(changed(tree, { kind: "close", uri }).focus).toBe(left);
  });

  test("a node without children does not open", () => {
    const tree = sampleTree("a b");
    expect(changed(tree, { kind: "open", uri: "a" }).open.has("a")).toBe(false);
  });

  test("a closed node that is opened again shows what was open below it", () => {
    const tree = sampleTree("a(b(c)) d");
    const closed = changed(tree, { kind: "close", uri: "a" });
    expect(shown(closed)).toEqual(["top", "a", "d"]);
    expect(shown(changed(closed, { kind: "open", uri: "a" }))).toEqual(["top", "a", "b", "c", "d"]);
  });
});

describe("selecting", () => {
  test("toggles single nodes, never the top", () => {
    const tree = following(
      sampleTree("a b c"),
      { kind: "toggle", uri: "a" },
      { kind: "toggle", uri: "c" },
      { kind: "toggle", uri: "a" },
      { kind: "toggle", uri: ROOT },
    );
    expect([...tree.selected]).toEqual(["c"]);
  });

  test.each([
    ["b", "e", ["b", "c", "d", "e"]],
    ["e", "c", ["c", "d", "e"]],
    [ROOT, "b", ["a", "b"]],
  ])("with Shift from %s to %s takes all rows between", (one, other, uris) => {
    const tree = sampleTree("a(b c(d)) e");
    expect(nodesBetween(tree, rowsOf(tree), one, other)).toEqual(uris);
  });
});

describe("adding and deleting", () => {
  test("a new node gets the focus and its parent opens", () => {
    const tree = following(sampleTree("a b"), {
      kind: "insert",
      parent: "a",
      position: 0,
      child: childNamed("n"),
    });
    expect(inWords(tree)).toBe("a(n) b");
    expect([tree.focus, tree.open.has("a"), childCount(tree, "a")]).toEqual(["n", true, 1]);
  });

  test.each([
    ["b", "a(c(d)) e", "c"],
    ["c", "a(b) e", "b"],
    ["d", "a(b c) e", "c"],
    ["a", "e", "e"],
  ])("deleting %s leaves %o and the focus on %s", (uri, text, focus) => {
    const tree = changed(sampleTree("a(b c(d)) e"), { kind: "drop", uri });
    expect(inWords(tree)).toBe(text);
    expect(tree.focus).toBe(focus);
  });
});
