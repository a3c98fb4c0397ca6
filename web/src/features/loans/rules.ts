/** What staff can do with a loan (docs/folio/loans.md, renewals.md, lost-items.md). */
import type { Loan } from "../../api/types";
import { parseInstant } from "../../lib/dates";
import { msg } from "../../lib/i18n";

export const LOAN_ACTIONS = ["renew", "dueDate", "claim", "lost", "missing"] as const;

export type LoanAction = (typeof LOAN_ACTIONS)[number];

const LOST = ["Declared lost", "Aged to lost"];
const CLAIMED = "Claimed returned";

const statusOf = ({ item }: Loan): string => item?.status?.name ?? "";

/** Why the action cannot be done with this loan, or none. What the circulation rules say is the server's to decide. */
export function whyNotLoan(action: LoanAction, loan: Loan): string | undefined {
  if (loan.status?.name === "Closed") return msg("The loan is closed.");
  const status = statusOf(loan);
  const isClaimed = status === CLAIMED;
  switch (action) {
    case "renew":
      return isClaimed ? msg("The item is claimed returned.") : undefined;
    case "dueDate":
      return isClaimed || LOST.includes(status)
        ? msg("The item is lost or claimed returned.")
        : undefined;
    case "claim":
      return isClaimed ? msg("The item is already claimed returned.") : undefined;
    case "lost":
      return status === "Declared lost" ? msg("The item is already declared lost.") : undefined;
    case "missing":
      return isClaimed ? undefined : msg("Only for an item that is claimed returned.");
  }
}

/** The loans among these with which the action can be done. */
export function possibleFor(action: LoanAction, loans: readonly Loan[]): Loan[] {
  return loans.filter((loan) => whyNotLoan(action, loan) === undefined);
}

/** Why the action cannot be done with any of these loans, or none. */
export function whyNotLoans(action: LoanAction, loans: readonly Loan[]): string | undefined {
  const [first] = loans;
  if (!first) return msg("Select a loan first.");
  return possibleFor(action, loans).length > 0 ? undefined : whyNotLoan(action, first);
}

export function isOverdue({ status, dueDate }: Loan, now: Date): boolean {
  const due = dueDate ? parseInstant(dueDate) : undefined;
  return status?.name !== "Closed" && due !== undefined && due < now;
}
