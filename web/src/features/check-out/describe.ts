/** A loan as the check-out desk shows it. */

import type { Loan } from "../../api/types";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { personName } from "../patrons/patron";
import type { Result } from "../scanning/result";
import type { CheckOutAnswer } from "./checkOut";

export function describeCheckOut(answer: CheckOutAnswer, clock: Clock): Result {
  return "loan" in answer ? describeLoan(answer.loan, clock) : describePatron(answer);
}

function describeLoan(loan: Loan, clock: Clock): Result {
  return {
    title: loan.item?.title ?? t("Untitled item"),
    outcome: loan.dueDate
      ? t("Due {date}", { date: formatDateTime(loan.dueDate, clock) })
      : t("Checked out"),
    kind: "done",
    notes: notesOn(loan),
  };
}

function describePatron({ patron }: Extract<CheckOutAnswer, { patron: unknown }>): Result {
  const title = personName(patron.personal ?? {}) || (patron.username ?? t("Patron"));
  return { title, outcome: t("Scan the items"), kind: "patron", notes: [] };
}

function notesOn(loan: Loan): string[] {
  return [
    loan.dueDateChangedByHold && t("Shorter, because others wait for this item."),
    loan.dueDateChangedByNearExpireUser && t("Shorter, because the patron's record expires."),
    loan.action === "checkedOutThroughOverride" && t("Checked out with an override."),
  ].filter((note) => typeof note === "string");
}
