/** What refuses a return, in sentences. */
import type { Explained } from "../../api/why";
import { type Clock, formatDate, formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { linkToCalendars, linkToLoans, linkToRequest } from "./links";
import type { Told } from "./telling";

type Cause = NonNullable<Explained["refusals"][number]["because"]>;

/** By cause. */
export const OF_RETURNS = {
  itemStatus: tellStatus,
  claimedReturned: tellClaim,
  noOpening: tellShelf,
  noLostLoan: tellLost,
};

function tellStatus({ status = "", since }: Cause, clock: Clock): Told[] {
  const values = { status: fixed("itemStatus", status) };
  const text = since
    ? t("The item has had the status “{status}” since {date}.", {
        ...values,
        date: formatDateTime(since, clock),
      })
    : t("The item has the status “{status}”.", values);
  return [
    { text },
    { text: t("No item comes back from this status; it has to be changed first.") },
  ];
}

function tellClaim({ borrower, claimed, due, by, comment }: Cause, clock: Clock): Told[] {
  const told: Told[] = [];
  if (borrower) {
    const name = borrower.name ?? "?";
    const text = claimed
      ? t("{name} says that it came back on {date}.", { name, date: formatDate(claimed, clock) })
      : t("{name} has it on loan.", { name });
    told.push({ text, link: linkToLoans(borrower.id) });
  } else {
    told.push({ text: t("No loan of the item is open, so nobody is known to have claimed it.") });
  }
  if (due) told.push({ text: t("The loan was due {date}.", { date: formatDateTime(due, clock) }) });
  if (by) told.push({ text: t("{by} noted the claim.", { by }) });
  if (comment) told.push({ text: t("Comment: {comment}", { comment }) });
  told.push({
    text: borrower
      ? t("Whether the library found it or the patron brought it decides the fine.")
      : t("Without a loan there is no fine, however it was found."),
  });
  return told;
}

function tellShelf({ servicePoint, requestId = "" }: Cause): Told[] {
  const name = servicePoint?.name ?? "?";
  return [
    {
      text: t("The calendar of {name} has no opening after the days on the hold shelf.", { name }),
      link: linkToCalendars(),
    },
    { text: t("A request waits for the item."), link: linkToRequest(requestId) },
  ];
}

function tellLost({ status = "", loanId, returned }: Cause, clock: Clock): Told[] {
  const date = returned ? formatDateTime(returned, clock) : "?";
  return [
    { text: t("It had the status “{status}”.", { status: fixed("itemStatus", status) }) },
    {
      text: loanId
        ? t("Its last loan ended on {date} and does not say that the item was lost.", { date })
        : t("It was never on loan, so no fee can be given back."),
    },
  ];
}
