import { describe, expect, test } from "vitest";
import { BLOCK } from "../../api/samples";
import { blocksInForce, initialsOf, isPast, nameOf, personName } from "./patron";

const NOW = new Date("2026-06-01T12:00:00Z");

test.each([
  [
    { lastName: "Reader", firstName: "First", preferredFirstName: "Preferred" },
    "Reader, Preferred",
  ],
  [{ lastName: "Reader", firstName: "First" }, "Reader, First"],
  [{ lastName: "Reader", firstName: null }, "Reader"],
  [{}, ""],
])("the name of %o", (personal, name) => {
  expect(personName(personal)).toBe(name);
});

test.each([
  [{ lastName: "Reader", firstName: "ann", preferredFirstName: "Bea" }, "Reader, Bea", "BR"],
  [{ lastName: "Ōno" }, "Ōno", "Ō"],
  [undefined, "reader", "R"],
])("a patron with the names %o", (personal, name, initials) => {
  const user = { id: "id", username: "reader", ...(personal && { personal }) };
  expect([nameOf(user), initialsOf(user)]).toEqual([name, initials]);
});

test.each([
  [undefined, false],
  ["2026-06-01T12:00:01.000+00:00", false],
  ["2026-06-01T11:59:59.000+00:00", true],
  ["unreadable", false],
])("an expiration date %s is past: %s", (date, past) => {
  expect(isPast(date, NOW)).toBe(past);
});

describe("the blocks in force", () => {
  const manual = { ...BLOCK, desc: "Card lost", borrowing: true, renewals: false, requests: true };
  const automated = {
    patronBlockConditionId: "3d7c52dc-c732-4223-8bf8-e5917801386f",
    blockBorrowing: true,
    blockRenewals: true,
    blockRequests: false,
    message: "Maximum number of items charged out",
  };

  test("are manual blocks, then automated ones, with the blocked actions", () => {
    expect(blocksInForce([manual], [automated], NOW)).toEqual([
      { text: "Card lost", stops: ["borrowing", "requests"] },
      {
        text: "Maximum number of items charged out",
        stops: ["borrowing", "renewals"],
        conditionId: "3d7c52dc-c732-4223-8bf8-e5917801386f",
      },
    ]);
  });

  test("omit expired blocks and blocks without actions", () => {
    const expired = { ...manual, expirationDate: "2026-05-31T00:00:00.000+00:00" };
    const idle = { ...BLOCK, desc: "Note to staff" };
    expect(blocksInForce([expired, idle], [], NOW)).toEqual([]);
  });
});
