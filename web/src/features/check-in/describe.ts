/** A checked-in item as the desk shows it. */

import type { CheckInAnswer, Loan } from "../../api/types";
import { parseInstant } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { personName } from "../patrons/patron";
import type { OutcomeName } from "../scanning/outcomes";
import type { Result } from "../scanning/result";
import { destinationOf, type Handling } from "./destination";

const KINDS: Record<Handling, OutcomeName> = {
  shelve: "done",
  send: "transit",
  hold: "hold",
  deliver: "delivery",
  other: "attention",
};

export function describeCheckIn(answer: CheckInAnswer): Result {
  const { handling, text } = destinationOf(answer);
  const instruction = instructionFor(answer);
  return {
    title: answer.item.title ?? t("Untitled item"),
    outcome: text,
    kind: KINDS[handling],
    ...(instruction && { instruction }),
    notes: [...commentsOf(answer), ...notesOn(answer)],
  };
}

/** What FOLIO shows in a dialog is in the row here, so that scanning can continue. */
function instructionFor({ item, staffSlipContext: slip }: CheckInAnswer): string | undefined {
  switch (item.status?.name) {
    case "Awaiting pickup":
      return onHoldShelf(slip?.request?.servicePointPickup);
    case "Awaiting delivery":
      return t("Check it out to the requester and route it for delivery.");
    default:
      return undefined; // the outcome is enough
  }
}

function onHoldShelf(place: string | undefined): string {
  if (!place) return t("Place it on the hold shelf.");
  return t("Place it on the hold shelf at {place}.", { place });
}

function commentsOf({ staffSlipContext }: CheckInAnswer): string[] {
  const comments = staffSlipContext?.request?.patronComments;
  return comments ? [t("Patron comments: {comments}", { comments })] : [];
}

function notesOn({ loan, inHouseUse }: CheckInAnswer): string[] {
  if (inHouseUse) return [t("Counted as used in the library.")];
  return loan ? returned(loan) : [t("It was not on loan.")];
}

function returned(loan: Loan): string[] {
  const borrower = personName(loan.borrower ?? {});
  return [
    borrower ? t("Returned from the loan to {borrower}.", { borrower }) : t("Returned from loan."),
    ...(wasOverdue(loan) ? [t("It was overdue.")] : []),
  ];
}

function wasOverdue({ dueDate, returnDate }: Loan): boolean {
  const due = dueDate ? parseInstant(dueDate) : undefined;
  const back = returnDate ? parseInstant(returnDate) : undefined;
  return due !== undefined && back !== undefined && due < back;
}
