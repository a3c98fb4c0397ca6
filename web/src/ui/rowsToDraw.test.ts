import { describe, expect, test } from "vitest";
import { type Range, RowHeights, rowsNear, rowsToDraw } from "./rowsToDraw";

const keys = Array.from({ length: 100 }, (_, n) => n);

describe("the heights of rows", () => {
  test("count those that were not drawn as the mean of the first", () => {
    const heights = new RowHeights();
    heights.measured(300, [
      [0, 40],
      [1, 60],
    ]);
    heights.measured(300, [[2, 200]]);
    expect(heights.of([0, 1, 2, 3])).toBe(40 + 60 + 200 + 50);
  });

  test("are unknown at another width", () => {
    const heights = new RowHeights();
    heights.measured(300, [[0, 40]]);
    heights.measured(200, [[1, 80]]);
    expect(heights.of([0, 1])).toBe(160);
  });

  test("say which rows are between two heights", () => {
    const heights = new RowHeights();
    heights.measured(300, [[0, 50]]);
    expect(heights.between(keys, -100, 100)).toEqual([0, 2]);
    expect(heights.between(keys, 100, 220)).toEqual([2, 5]);
    expect(heights.between(keys, 9_000, 10_000)).toEqual([100, 100]);
    expect(heights.between(keys, -900, -100)).toEqual([0, 0]);
    expect(heights.between([], 0, 100)).toEqual([0, 0]);
  });
});

describe("the rows near the window", () => {
  const heights = new RowHeights();
  heights.measured(300, [[0, 100]]);
  const near = (top: number, drawn: Range) => rowsNear(heights, keys, top, top + 1_000, drawn);

  test("reach beyond it", () => expect(near(2_000, [0, 20])).toEqual([14, 36]));

  test.each<[string, Range]>([
    ["one more above", [13, 36]],
    ["one more below", [14, 37]],
    ["as many again beyond it", [8, 42]],
  ])("stay the same ones: %s", (_, drawn) => expect(near(2_000, drawn)).toBe(drawn));

  test.each<[string, Range]>([
    ["too few above", [15, 36]],
    ["too few below", [14, 35]],
    ["too many above", [7, 36]],
    ["too many below", [14, 43]],
  ])("become others: %s", (_, drawn) => expect(near(2_000, drawn)).toEqual([14, 36]));

  test("end with the list", () => {
    expect(near(9_500, [80, 200])).toEqual([89, 100]);
    expect(rowsNear(heights, [], 0, 1_000, [0, 20])).toEqual([0, 0]);
  });

  test("come to rest though the first of them is a pixel lower, and so moves the window", () => {
    const some = new RowHeights();
    some.measured(300, [[0, 100]]);
    let drawn: Range = [0, 20];
    const turns = Array.from({ length: 10 }, () => {
      const [first] = drawn;
      some.measured(300, [
        [first, 99],
        [first + 1, 100],
      ]);
      const top = first === 14 ? 1_999 : 2_000;
      drawn = rowsNear(some, keys, top, top + 1_000, drawn);
      return drawn;
    });
    expect(new Set(turns.slice(2)).size).toBe(1);
  });
});

describe("the rows to draw", () => {
  const draw = (wanted: { focused?: number; stops?: number[] }) =>
    rowsToDraw({
      ...{ count: 100, from: 50, to: 53, focused: wanted.focused },
      isStop: (row) => wanted.stops?.includes(row) ?? false,
    });

  test("are those near the window", () => expect(draw({})).toEqual([50, 51, 52]));

  test("are fewer if the list has become shorter", () => {
    const wanted = { count: 51, from: 50, to: 53, focused: undefined, isStop: () => false };
    expect(rowsToDraw(wanted)).toEqual([50]);
  });

  test("have the one with the focus, and where Tab goes from there", () => {
    const stops = [3, 7, 8, 12, 20, 90];
    expect(draw({ focused: 8, stops })).toEqual([3, 7, 8, 12, 20, 50, 51, 52, 90]);
  });

  test("have the first and last stop, for Tab into the list, and those around the window", () => {
    expect(draw({ stops: [1, 2, 40, 51, 60, 70, 99] })).toEqual([1, 40, 50, 51, 52, 60, 99]);
  });
});
