import { describe, expect, test } from "vitest";
import { changed, type Tree } from "./model";
import { moveOf, moveTo, type Step, stepsBack, topmost, type Where } from "./moves";
import { inWords, sampleTree } from "./samples";

const made = (tree: Tree, step: Step | undefined) =>
  step ? changed(tree, { kind: "place", ...step }) : tree;

const TREE = "a(b c d) e(f(g)) h";

describe("moving nodes", () => {
  test.each<[string, string, Where, string]>([
    ["b", "e", "into", "a(c d) e(f(g) b) h"],
    ["b", "d", "after", "a(c d b) e(f(g)) h"],
    ["d", "b", "before", "a(d b c) e(f(g)) h"],
    ["b d", "c", "before", "a(b d c) e(f(g)) h"],
    ["b d", "h", "into", "a(c) e(f(g)) h(b d)"],
    ["b g", "e", "before", "a(c d) b g e(f) h"],
    ["h a", "g", "into", "e(f(g(a(b c d) h)))"],
    ["f g", "a", "after", "a(b c d) f(g) e h"],
    ["b c d", "h", "after", "a e(f(g)) h b c d"],
    ["h", "top", "into", "a(b c d) e(f(g)) h"],
    ["a", "top", "into", "e(f(g)) h a(b c d)"],
  ])("%o to %s, %s", (uris, target, where, text) => {
    const tree = sampleTree(TREE);
    expect(inWords(made(tree, moveTo(tree, uris.split(" "), target, where)))).toBe(text);
  });

  test.each<[string, string, Where]>([
    ["a", "a", "into"],
    ["e", "g", "into"],
    ["e", "g", "before"],
    ["b", "b", "after"],
    ["b", "c", "before"],
    ["", "h", "into"],
    ["b", "top", "before"],
  ])("%o cannot go to %s, %s", (uris, target, where) => {
    const moved = uris ? [uris] : [];
    expect(moveTo(sampleTree(TREE), moved, target, where)).toBeUndefined();
  });

  test("nodes below moved ones go with them, in the order of the tree", () => {
    expect(topmost(sampleTree(TREE), ["h", "g", "d", "e", "b"])).toEqual(["b", "d", "e", "h"]);
  });
});

describe("taking a move back", () => {
  test.each<[string, string, Where]>([
    ["b", "e", "into"],
    ["b d", "h", "into"],
    ["b c d", "h", "after"],
    ["d", "b", "before"],
    ["b d", "c", "before"],
    ["c d", "b", "before"],
    ["b c", "d", "after"],
    ["b g", "e", "before"],
    ["h a", "g", "into"],
    ["f g", "a", "after"],
    ["e h", "a", "before"],
  ])("%o to %s, %s", (uris, target, where) => {
    const tree = sampleTree(TREE);
    const step = moveTo(tree, uris.split(" "), target, where);
    if (!step) throw new Error("the move is possible");
    const moved = made(tree, step);
    expect(inWords(moved)).not.toBe(TREE);
    expect(inWords(stepsBack(moved, moveOf(tree, step, "")).reduce(made, moved))).toBe(TREE);
  });

  test("neighbours go back by one call", () => {
    const tree = sampleTree(TREE);
    const step = moveTo(tree, ["b", "c", "d"], "h", "into");
    if (!step) throw new Error("the move is possible");
    expect(stepsBack(made(tree, step), moveOf(tree, step, ""))).toEqual([
      { parent: "a", uris: ["b", "c", "d"], position: 0 },
    ]);
  });

  test("any move of several nodes within ten siblings can be taken back", () => {
    const text = "a b c d e f g h i j";
    const tree = sampleTree(text, 200);
    for (let choice = 1; choice < 1024; choice += 7) {
      const uris = text.split(" ").filter((_, at) => choice & (1 << at));
      for (const target of ["a", "e", "j"]) {
        const step = moveTo(tree, uris, target, "after") ?? moveTo(tree, uris, target, "before");
        if (!step) continue;
        const moved = made(tree, step);
        const back = stepsBack(moved, moveOf(tree, step, "")).reduce(made, moved);
        expect(inWords(back)).toBe(text);
      }
    }
  });
});
