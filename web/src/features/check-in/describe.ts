/** A checked-in item as the desk shows it. */
import type { CheckInAnswer, Loan } from "../../api/types";
import { parseInstant } from "../../lib/dates";
import { personName } from "../patrons/patron";
import type { Result } from "../scanning/result";
import { destinationOf, type Handling } from "./destination";

const TONES: Record<Handling, Result["tone"]> = {
  shelve: "good",
  send: "info",
  hold: "notice",
  other: "notice",
};

export function describeCheckIn(answer: CheckInAnswer): Result {
  const { handling, text } = destinationOf(answer);
  const instruction = instructionFor(answer);
  return {
    title: answer.item.title ?? "Untitled item",
    outcome: text,
    tone: TONES[handling],
    ...(instruction && { instruction }),
    notes: [...commentsOf(answer), ...notesOn(answer)],
  };
}

/** What FOLIO shows in a dialog is in the row here, so that scanning can continue. */
function instructionFor({ item, staffSlipContext: slip }: CheckInAnswer): string | undefined {
  switch (item.status?.name) {
    case "Awaiting pickup":
      return `Place it on the hold shelf${at(slip?.request?.servicePointPickup)}.`;
    case "Awaiting delivery":
      return "Check it out to the requester and route it for delivery.";
    default:
      return undefined; // the outcome is enough
  }
}

const at = (place: string | undefined) => (place ? ` at ${place}` : "");

function commentsOf({ staffSlipContext }: CheckInAnswer): string[] {
  const comments = staffSlipContext?.request?.patronComments;
  return comments ? [`Patron comments: ${comments}`] : [];
}

function notesOn({ loan, inHouseUse }: CheckInAnswer): string[] {
  if (inHouseUse) return ["Counted as used in the library."];
  return loan ? returned(loan) : ["It was not on loan."];
}

function returned(loan: Loan): string[] {
  const borrower = personName(loan.borrower ?? {});
  return [
    borrower ? `Returned from the loan to ${borrower}.` : "Returned from loan.",
    ...(wasOverdue(loan) ? ["It was overdue."] : []),
  ];
}

function wasOverdue({ dueDate, returnDate }: Loan): boolean {
  const due = dueDate ? parseInstant(dueDate) : undefined;
  const back = returnDate ? parseInstant(returnDate) : undefined;
  return due !== undefined && back !== undefined && due < back;
}
