/** A checked-in item as the desk shows it. */

import type { CheckInAnswer, Loan } from "../../api/types";
import { type Clock, formatDateTime, parseInstant } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import {
  authorOf,
  callNumberOf,
  type DeskFacts,
  factsIn,
  titleOf,
  warningsOf,
} from "../desk/itemFacts";
import { type Currency, centsOf, formatMoney } from "../fees/money";
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

export function describeCheckIn(
  answer: CheckInAnswer,
  clock: Clock,
  currency: Currency["currency"],
): Result {
  const { item, loan } = answer;
  const { handling, text } = destinationOf(answer);
  const instruction = instructionFor(answer);
  const facts = factsIn(answer);
  const warnings = [...warningsOf(facts), ...feesOn(facts, { ...clock, currency })];
  const kind = KINDS[handling];
  return {
    title: titleOf(item),
    author: authorOf(item),
    facts: [callNumberOf(item), item.location?.name ?? "", dueOf(loan, clock)],
    outcome: text,
    kind: kind === "done" && warnings.length > 0 ? "attention" : kind,
    ...(instruction && { instruction }),
    warnings,
    notes: [...commentsOf(answer), ...notesOn(answer)],
  };
}

function dueOf(loan: Loan | undefined, clock: Clock): string {
  return loan?.dueDate ? t("was due {date}", { date: formatDateTime(loan.dueDate, clock) }) : "";
}

function feesOn({ fees = [] }: DeskFacts, currency: Currency): string[] {
  return fees.map(({ type, amount }) =>
    t("Charged: {type}, {amount}.", {
      type: fixed("feeType", type),
      amount: formatMoney(centsOf(amount) ?? 0n, currency),
    }),
  );
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
