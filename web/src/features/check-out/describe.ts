/** A loan as the desk shows it. */

import type { Loan } from "../../api/types";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { authorOf, callNumberOf, factsIn, titleOf, warningsOf } from "../desk/itemFacts";
import { personName } from "../patrons/patron";
import type { Result } from "../scanning/result";

export function describeLoan(loan: Loan, clock: Clock): Result {
  const warnings = warningsOf(factsIn(loan));
  return {
    title: titleOf(loan.item),
    author: authorOf(loan.item),
    facts: [callNumberOf(loan.item), loan.item?.location?.name ?? "", t("Checked out")],
    outcome: loan.dueDate
      ? t("Due {date}", { date: formatDateTime(loan.dueDate, clock) })
      : t("Checked out"),
    kind: warnings.length > 0 ? "attention" : "done",
    warnings,
    notes: notesOn(loan),
  };
}

function notesOn(loan: Loan): string[] {
  const borrower = personName(loan.borrower ?? {});
  return [
    loan.proxyUserId && borrower && t("Lent for {borrower}.", { borrower }),
    loan.dueDateChangedByHold && t("Shorter, because others wait for this item."),
    loan.dueDateChangedByNearExpireUser && t("Shorter, because the patron's record expires."),
    loan.action === "checkedOutThroughOverride" && t("Checked out with an override."),
    loan.action === "dueDateChanged" && t("The due date was changed at the desk."),
  ].filter((note) => typeof note === "string" && note !== "") as string[];
}
