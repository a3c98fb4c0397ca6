import { describe, expect, test } from "vitest";
import { deedOf, type Pressed } from "./keys";
import { changed, type Tree } from "./model";
import { rowsOf } from "./rows";
import { ROOT, sampleTree } from "./samples";

const at = (focus: string, closed: string[] = []): Tree => {
  const tree = closed.reduce(
    (t, uri) => changed(t, { kind: "close", uri }),
    sampleTree("a(b c(d)) e f"),
  );
  return changed(tree, { kind: "focus", row: focus });
};

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  shift: false,
  command: false,
  ...held,
});

/** The tree after a key. */
const then = (tree: Tree, key: string, held?: Partial<Pressed>): Tree => {
  const deed = deedOf(tree, rowsOf(tree), press(key, held), 3);
  return deed?.kind === "change" ? deed.changes.reduce(changed, tree) : tree;
};

describe("keys of a tree", () => {
  test.each([
    ["a", "ArrowDown", "b"],
    ["b", "ArrowUp", "a"],
    [ROOT, "ArrowUp", ROOT],
    ["f", "ArrowDown", "f"],
    ["d", "Home", ROOT],
    ["a", "End", "f"],
    ["a", "PageDown", "d"],
    ["f", "PageUp", "c"],
    ["a", "ArrowRight", "b"],
    ["b", "ArrowRight", "b"],
    ["b", "ArrowLeft", "a"],
    ["e", "ArrowLeft", ROOT],
    [ROOT, "ArrowLeft", ROOT],
    ["a", "e", "e"],
    ["f", "b", "b"],
    ["a", "x", "a"],
  ])("from %s, %s goes to %s", (from, key, to) => {
    expect(then(at(from), key).focus).toBe(to);
  });

  test("the arrows open and close", () => {
    const closed = then(at("a"), "ArrowLeft");
    expect([closed.open.has("a"), closed.focus]).toEqual([false, "a"]);
    const open = then(closed, "ArrowRight");
    expect([open.open.has("a"), open.focus]).toEqual([true, "a"]);
  });

  test("Shift extends the selection from where it began, also back", () => {
    const tree = then(then(at("b"), "ArrowDown", { shift: true }), "ArrowDown", { shift: true });
    expect([...tree.selected]).toEqual(["b", "c", "d"]);
    expect([...then(tree, "ArrowUp", { shift: true }).selected]).toEqual(["b", "c"]);
  });

  test("space toggles, Escape lets go of everything", () => {
    const tree = changed(then(at("b"), " "), { kind: "cut", uris: ["b"] });
    expect([...tree.selected]).toEqual(["b"]);
    const none = then(tree, "Escape");
    expect([none.selected.size, none.cut.length]).toEqual([0, 0]);
  });

  test.each([
    ["x", {}, "cut"],
    ["v", {}, "paste"],
    ["z", {}, "undo"],
    ["Z", { shift: true }, "redo"],
    ["f", {}, undefined],
    ["a", {}, undefined],
  ])("Ctrl and %s %o is %s", (key, held, kind) => {
    const tree = at("b");
    expect(deedOf(tree, rowsOf(tree), press(key, { ...held, command: true }), 3)?.kind).toBe(kind);
  });
});
