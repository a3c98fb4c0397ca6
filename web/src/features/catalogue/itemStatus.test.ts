import { expect, test } from "vitest";
import { movesFrom } from "./itemStatus";

const allowed = (status: string) =>
  movesFrom(status)
    .filter(({ isAllowed }) => isAllowed)
    .map(({ status }) => status);

test.each([
  ["Available", "Missing", true],
  ["Missing", "Missing", false],
  ["Checked out", "Missing", false],
  ["Checked out", "Withdrawn", false],
  ["Checked out", "Unavailable", true],
  ["Lost and paid", "Missing", false],
  ["Lost and paid", "Withdrawn", true],
  ["In process", "Missing", true],
  ["In process", "Restricted", false],
  ["In process", "In process", false],
  ["Missing", "In process", true],
])("from %s to %s: %s", (from, to, isAllowed) => {
  expect(allowed(from).includes(to)).toBe(isAllowed);
});
