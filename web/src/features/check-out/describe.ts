/** A loan as the check-out desk shows it. */
import type { Loan } from "../../api/types";
import { type Clock, formatDateTime } from "../../lib/dates";
import { personName } from "../patrons/patron";
import type { Result } from "../scanning/result";
import type { CheckOutAnswer } from "./checkOut";

export function describeCheckOut(answer: CheckOutAnswer, clock: Clock): Result {
  return "loan" in answer ? describeLoan(answer.loan, clock) : describePatron(answer);
}

function describeLoan(loan: Loan, clock: Clock): Result {
  return {
    title: loan.item?.title ?? "Untitled item",
    outcome: loan.dueDate ? `Due ${formatDateTime(loan.dueDate, clock)}` : "Checked out",
    tone: "good",
    notes: notesOn(loan),
  };
}

function describePatron({ patron }: Extract<CheckOutAnswer, { patron: unknown }>): Result {
  const title = personName(patron.personal ?? {}) || (patron.username ?? "Patron");
  return { title, outcome: "Scan the items", tone: "good", notes: [] };
}

function notesOn(loan: Loan): string[] {
  return [
    loan.dueDateChangedByHold && "Shorter, because others wait for this item.",
    loan.dueDateChangedByNearExpireUser && "Shorter, because the patron's record expires.",
    loan.action === "checkedOutThroughOverride" && "Checked out with an override.",
  ].filter((note) => typeof note === "string");
}
