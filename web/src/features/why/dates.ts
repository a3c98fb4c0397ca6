/** The steps of a due date in sentences. */
import type { Explained } from "../../api/why";
import { type Clock, formatDateTime, formatPlainDate } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { linkToCalendars } from "./links";
import type { Told } from "./telling";

type Step = Explained["dates"][number];
type Day = NonNullable<Step["day"]>;

/** A period of a policy, such as `3 weeks`. */
function period({ duration = 0, interval = "" }: Step): string {
  const count = { count: duration };
  switch (interval) {
    case "Minutes":
      return t("{count, plural, one {# minute} other {# minutes}}", count);
    case "Hours":
      return t("{count, plural, one {# hour} other {# hours}}", count);
    case "Days":
      return t("{count, plural, one {# day} other {# days}}", count);
    case "Weeks":
      return t("{count, plural, one {# week} other {# weeks}}", count);
    case "Months":
      return t("{count, plural, one {# month} other {# months}}", count);
    default:
      return `${duration} ${interval}`;
  }
}

export function tellDate(step: Step, clock: Clock): Told {
  const values = { to: formatDateTime(step.to, clock), period: period(step) };
  switch (step.because) {
    case "loanPeriod":
      return { text: t("The policy lends for {period}: until {to}.", values) };
    case "loanPeriodForHolds":
      return {
        text: t("Others wait, so the policy lends for only {period}: until {to}.", values),
      };
    case "renewalByLoanPeriod":
    case "renewalPeriod":
      return { text: t("The policy renews for {period}: until {to}.", values) };
    case "renewalPeriodForHolds":
      return {
        text: t("Others wait, so the policy renews for only {period}: until {to}.", values),
      };
    case "recallReturnInterval":
    case "alternateRecallReturnInterval":
      return { text: t("A recalled item is wanted back in {period}: {to}.", values) };
    case "minimumGuaranteedLoanPeriod":
      return {
        text: t("The patron keeps the item for at least {period}: until {to}.", values),
      };
    case "recallKeeps":
      return { text: t("A recall does not make the loan longer, so the date stays.") };
    case "recallNow":
      return { text: t("The policy gives no time after a recall: {to}.", values) };
    case "schedule":
      return { text: t("The fixed due date schedule gives {to}.", values) };
    case "scheduleCap":
      return { text: t("The schedule allows no later date than {to}.", values) };
    case "patronExpires": {
      const expires = step.expires ? formatDateTime(step.expires, clock) : "?";
      return {
        text: t("The patron's record expires on {expires}, so the loan ends before: {to}.", {
          ...values,
          expires,
        }),
      };
    }
    case "staff":
      return { text: t("Staff gave the date: {to}.", values) };
    case "calendar":
      return tellCalendar(step, values.to, clock);
  }
}

/** What opening hours and the closed-library strategy do with the date. */
function tellCalendar(step: Step, to: string, clock: Clock): Told {
  const { day, strategy, from } = step;
  const values = { to, day: dayOf(day, clock) };
  const link = linkToCalendars();
  if (strategy === "unchanged") return { text: t("The policy keeps the time, open or closed.") };
  if (strategy === "endOfSameDay") return { text: t("A loan ends with the day: {to}.", values) };
  if (strategy === "endOfNextOpenDay" || strategy === "endOfPreviousOpenDay") {
    if (day?.open) return { text: t("Open on {day}, so the loan ends with it: {to}.", values) };
    return strategy === "endOfNextOpenDay"
      ? { text: t("Closed on {day}: moved to the next open day, {to}.", values), link }
      : { text: t("Closed on {day}: moved to the open day before, {to}.", values), link };
  }
  if (from === step.to) return { text: t("Open at that time, so it stays."), link };
  return strategy === "endOfCurrentHours"
    ? { text: t("Closed at that time: moved to the end of the opening hours, {to}.", values), link }
    : { text: t("Closed at that time: moved to when it opens next, {to}.", values), link };
}

function dayOf(day: Day | undefined, clock: Clock): string {
  if (!day) return "?";
  const date = formatPlainDate(day.date, clock);
  return day.exception ? `${date} (${day.exception})` : date;
}
