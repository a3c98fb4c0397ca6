import { describe, expect, test } from "vitest";
import type { OldTreeNode } from "../../../api/archivesTypes";
import {
  BLOCK,
  blockCount,
  blockOf,
  blocksBetween,
  GUESS,
  linesOf,
  published,
  topsOf,
} from "./skeleton";

const node = (id: number, children: OldTreeNode[] = []): OldTreeNode => ({
  title: `Title ${id}`,
  record_uri: `/repositories/2/archival_objects/${id}`,
  level: "file",
  publish: true,
  suppressed: false,
  children,
});

const flat = (count: number) =>
  linesOf(
    node(
      0,
      Array.from({ length: count }, (_, at) => node(at + 1)),
    ),
  );

test("the components come as a reader turns the pages", () => {
  const tree = node(0, [node(1, [node(2), node(3, [node(4)])]), node(5)]);
  expect(linesOf(tree).map(({ id, depth }) => [id, depth])).toEqual([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 1],
  ]);
});

describe("blocks", () => {
  const lines = flat(BLOCK * 2 + 5);
  const full = BLOCK * GUESS;

  test("cover all components", () => {
    expect(blockCount(lines)).toBe(3);
    expect([0, 1, 2].map((block) => blockOf(lines, block).length)).toEqual([BLOCK, BLOCK, 5]);
  });

  test("have a guessed height until they are drawn", () => {
    expect(topsOf(lines, new Map())).toEqual([0, full, 2 * full, 2 * full + 5 * GUESS]);
    expect(topsOf(lines, new Map([[0, 100]]))[1]).toBe(100);
  });

  test.each([
    [0, 100, 0, 0],
    [full - 10, full + 10, 0, 1],
    [full, full + 10, 1, 1],
    [2 * full + 50, 9 * full, 2, 2],
    [9 * full, 10 * full, 2, 2],
  ])("between %i and %i are %i to %i", (from, to, first, last) => {
    expect(blocksBetween(topsOf(lines, new Map()), from, to)).toEqual([first, last]);
  });

  test("of a resource without components are none", () => {
    expect(topsOf([], new Map())).toEqual([0]);
    expect(blockCount([])).toBe(0);
  });
});

test("the public sees nothing below what is not published", () => {
  const hidden = { ...node(1, [node(2)]), publish: false };
  const suppressed = { ...node(4), suppressed: true };
  const tree = node(0, [hidden, node(3, [suppressed, node(5)])]);
  expect(published(linesOf(tree)).map(({ id }) => id)).toEqual([3, 5]);
});
