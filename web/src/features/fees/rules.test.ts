import { describe, expect, test } from "vitest";
import type { Account, Movement } from "../../api/fees";
import { commentsOf, historyOf, mostFor, owed, refundable, whyNot } from "./rules";

const fee = (id: string, remaining: number, changes: Partial<Account> = {}): Account => ({
  id,
  amount: 10,
  remaining,
  status: { name: remaining > 0 ? "Open" : "Closed" },
  paymentStatus: { name: "Outstanding" },
  userId: "user",
  feeFineId: "type",
  ownerId: "owner",
  ...changes,
});

const movement = (accountId: string, typeAction: string, amountAction: number): Movement => ({
  id: `${accountId} ${typeAction}`,
  accountId,
  userId: "user",
  typeAction,
  amountAction,
});

const OPEN = fee("open", 10);
const PART = fee("part", 7.5);
const PAID = fee("paid", 0);
const MOVES = [
  movement("open", "Lost item fee", 10),
  movement("part", "Paid partially", 2.5),
  movement("paid", "Paid partially", 4),
  movement("paid", "Transferred fully", 6),
  movement("paid", "Refunded partially", 1.25),
];

test("only open fees are owed", () => {
  expect(owed([OPEN, PART, PAID])).toBe(1750n);
});

test("what was paid or transferred can be refunded once", () => {
  expect(refundable([PAID, PART], MOVES)).toBe(1125n);
  expect(mostFor("refund", [PART], MOVES)).toBe(250n);
  expect(mostFor("pay", [PART], MOVES)).toBe(750n);
});

describe("an action is possible", () => {
  test.each([
    ["pay", [OPEN, PART], undefined],
    ["pay", [OPEN, PAID], "A closed fee is among those selected."],
    ["cancel", [], "Select a fee first."],
    ["refund", [PAID, PART], undefined],
    ["refund", [OPEN, PAID], "Nothing was paid or transferred that could be refunded."],
  ] as const)("to %s: %#", (action, accounts, reason) => {
    expect(whyNot(action, accounts, MOVES)).toBe(reason);
  });
});

test("the history of a fee begins with the last movement", () => {
  expect(historyOf(PAID, MOVES).map(({ typeAction }) => typeAction)).toEqual([
    "Refunded partially",
    "Transferred fully",
    "Paid partially",
  ]);
});

test("comments say for whom they are", () => {
  expect(commentsOf(" seen ", "Thank you")).toBe("STAFF : seen \n PATRON : Thank you");
  expect(commentsOf("", "Thank you")).toBe("PATRON : Thank you");
  expect(commentsOf(" ", "")).toBeUndefined();
});
