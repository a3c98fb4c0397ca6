import { expect, test } from "vitest";
import { newId } from "./newId";

test("an id is a random UUID", () => {
  const pattern = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  expect(newId()).toMatch(pattern);
  expect(newId()).not.toBe(newId());
});
