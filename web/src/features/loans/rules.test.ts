import { describe, expect, test } from "vitest";
import { ITEM, LOAN } from "../../api/samples";
import type { Loan } from "../../api/types";
import { isOverdue, type LoanAction, possibleFor, whyNotLoan, whyNotLoans } from "./rules";

const loan = (status: string, changes: Partial<Loan> = {}): Loan => ({
  ...LOAN,
  status: { name: "Open" },
  item: { ...ITEM, status: { name: status } },
  ...changes,
});

const OUT = loan("Checked out");
const CLAIMED = loan("Claimed returned");
const LOST = loan("Declared lost");
const AGED = loan("Aged to lost");
const CLOSED = loan("Available", { status: { name: "Closed" } });

describe("an action is possible with a loan", () => {
  test.each<[LoanAction, Loan[], Loan[]]>([
    ["renew", [OUT, LOST, AGED], [CLAIMED, CLOSED]],
    ["dueDate", [OUT], [CLAIMED, LOST, AGED, CLOSED]],
    ["claim", [OUT, LOST, AGED], [CLAIMED, CLOSED]],
    ["lost", [OUT, CLAIMED, AGED], [LOST, CLOSED]],
    ["missing", [CLAIMED], [OUT, LOST, AGED, CLOSED]],
  ])("%s", (action, possible, impossible) => {
    expect(possibleFor(action, [...possible, ...impossible])).toEqual(possible);
    expect(impossible.map((loan) => whyNotLoan(action, loan))).not.toContain(undefined);
  });
});

test("several loans need one that fits", () => {
  expect(whyNotLoans("renew", [])).toBe("Select a loan first.");
  expect(whyNotLoans("renew", [CLAIMED, OUT])).toBeUndefined();
  expect(whyNotLoans("renew", [CLAIMED])).toBe("The item is claimed returned.");
});

test.each([
  ["2026-01-01T11:59:59Z", "Open", true],
  ["2026-01-01T12:00:01Z", "Open", false],
  ["2026-01-01T11:59:59Z", "Closed", false],
])("a loan due %s that is %s is overdue: %s", (dueDate, name, overdue) => {
  expect(isOverdue({ ...OUT, dueDate, status: { name } }, new Date("2026-01-01T12:00:00Z"))).toBe(
    overdue,
  );
});
