import { expect, test } from "vitest";
import { mergeDrafts } from "./threeWay";

const BASE = { name: "Ann", phone: "1", email: "a", tags: ["x"] };

test("what only one changed is kept, mine stands where both did", () => {
  const mine = { ...BASE, name: "Anna", phone: "2" };
  const theirs = { ...BASE, phone: "3", email: "b", tags: ["x", "y"] };
  expect(mergeDrafts(BASE, mine, theirs)).toEqual({
    merged: { name: "Anna", phone: "2", email: "b", tags: ["x", "y"] },
    taken: ["email", "tags"],
    disputed: ["phone"],
  });
});

test("the same change is no dispute", () => {
  const both = { ...BASE, phone: "2" };
  expect(mergeDrafts(BASE, both, both)).toEqual({ merged: both, taken: [], disputed: [] });
});
