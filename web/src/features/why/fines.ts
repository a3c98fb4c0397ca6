/** An overdue fine in sentences. */
import type { Explained } from "../../api/why";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { money } from "../fees/feeColumns";
import { linkToCalendars, linkToPolicy } from "./links";
import type { Told, View } from "./telling";

type Fine = NonNullable<Explained["fine"]>;

export function tellFine(fine: Fine, view: View): Told[] {
  return [...tellLateness(fine, view), ...tellSum(fine, view), ...tellNone(fine)];
}

function tellLateness(fine: Fine, { clock }: View): Told[] {
  const { due, until, minutes, policy } = fine;
  if (!due || !until || minutes === undefined) return [];
  const values = { due: formatDateTime(due, clock), until: formatDateTime(until, clock) };
  const told: Told[] = [{ text: t("Due {due}, back or renewed {until}.", values) }];
  const late = duration(minutes);
  if (fine.closedHoursCount)
    told.push({ text: t("Late by {late}, closed hours included.", { late }) });
  else {
    const name = fine.servicePoint?.name ?? "?";
    const text = t("Late by {late} of the opening hours of {name}.", { late, name });
    told.push({ text, link: linkToCalendars() });
  }
  const grace = fine.graceMinutes ?? 0;
  if (grace > 0) {
    told.push({ text: t("Nothing is charged up to {grace}.", { grace: duration(grace) }) });
  }
  if (fine.recalled) told.push({ text: t("A recall set the due date, so its rate applies.") });
  if (policy) {
    const name = policy.name ?? policy.id;
    const text = t("The overdue fine policy is {name}.", { name });
    told.push({ text, link: linkToPolicy(policy) });
  }
  return told;
}

function tellSum(fine: Fine, { currency }: View): Told[] {
  const { quantity, interval, intervals, full, maximum, amount } = fine;
  if (quantity === undefined || full === undefined || !interval) return [];
  const values = {
    rate: money(quantity, currency),
    each: INTERVALS[interval]?.() ?? interval,
    intervals: intervals ?? 0,
    full: money(full, currency),
  };
  const told: Told[] = [
    { text: t("{rate} for each {each} begun: {intervals} × {rate} = {full}.", values) },
  ];
  if (maximum && amount !== undefined && full > maximum) {
    told.push({
      text: t("The policy charges no more than {maximum}.", { maximum: money(maximum, currency) }),
    });
  }
  return told;
}

const INTERVALS: Record<string, () => string> = {
  minute: () => t("minute"),
  hour: () => t("hour"),
  day: () => t("day"),
  week: () => t("week"),
  month: () => t("month"),
  year: () => t("year"),
};

function tellNone({ none }: Fine): Told[] {
  return none ? [{ text: NONE[none]() }] : [];
}

const NONE: Record<NonNullable<Fine["none"]>, () => string> = {
  foundByLibrary: () => t("No fine: the library found the item itself."),
  noPolicy: () => t("No fine: the loan's overdue fine policy no longer exists."),
  forgiven: () => t("No fine: the policy forgives it at a renewal."),
  notLate: () => t("No fine: the item is not late."),
  lost: () => t("No fine: the lost item policy does not fine items that come back."),
  withinGrace: () => t("No fine: it is late by no more than the grace period."),
  noRate: () => t("No fine: the policy has no rate or no maximum."),
  noOwner: () => t("No fine: no fee owner is responsible for the item's location."),
  zero: () => t("No fine: it would be zero."),
};

/** Minutes as days, hours and minutes. */
function duration(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const parts = [
    days > 0 && t("{count, plural, one {# day} other {# days}}", { count: days }),
    hours > 0 && t("{count, plural, one {# hour} other {# hours}}", { count: hours }),
    minutes % 60 > 0 &&
      t("{count, plural, one {# minute} other {# minutes}}", { count: minutes % 60 }),
  ].filter(Boolean);
  return parts.join(", ") || t("{count, plural, one {# minute} other {# minutes}}", { count: 0 });
}
