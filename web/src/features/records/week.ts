/** The week of opening hours of a calendar (docs/folio/calendars.md), and its exceptions. */
import { type Clock, formatPlainDate } from "../../lib/dates";
import { msg, t } from "../../lib/i18n";
import type { Choice } from "./kind";
import { rowsAt, textAt, type Values } from "./values";

export const WEEKDAYS: readonly Choice[] = [
  { id: "MONDAY", name: msg("Monday") },
  { id: "TUESDAY", name: msg("Tuesday") },
  { id: "WEDNESDAY", name: msg("Wednesday") },
  { id: "THURSDAY", name: msg("Thursday") },
  { id: "FRIDAY", name: msg("Friday") },
  { id: "SATURDAY", name: msg("Saturday") },
  { id: "SUNDAY", name: msg("Sunday") },
];

/** An opening and its place in the record's list, which has no order of its own. */
export interface Opening {
  index: number;
  row: Values;
}

/** The openings that begin on a day, in the order of their times; those without one last. */
export function openingsOn(openings: readonly Values[], day: string): Opening[] {
  return openings
    .map((row, index) => ({ index, row }))
    .filter(({ row }) => row.startDay === day)
    .sort((one, other) => startOf(one.row).localeCompare(startOf(other.row)));
}

/** A moment after all times of a day, so that what has no time yet comes last. */
const startOf = (row: Values): string => textAt(row, "startTime") || "99";

/** A new opening of a day; the times come from the user. */
export const openingOn = (day: string): Values => ({ startDay: day, endDay: day });

/** With a day's openings as on another day; those that last beyond midnight move with it. */
export function copied(openings: readonly Values[], from: string, to: string): Values[] {
  const shift = placeOf(to) - placeOf(from);
  const moved = openingsOn(openings, from).map(({ row }) => ({
    ...row,
    startDay: to,
    endDay: WEEKDAYS[(placeOf(textAt(row, "endDay")) + shift + 7) % 7]?.id,
  }));
  return [...openings.filter(({ startDay }) => startDay !== to), ...moved];
}

const placeOf = (day: string): number => WEEKDAYS.findIndex(({ id }) => id === day);

export const dayBefore = (day: string): Choice | undefined => WEEKDAYS[placeOf(day) - 1];

const dayName = (day: string): string => t(WEEKDAYS[placeOf(day)]?.name ?? day);

/** One line for each day or run of days with the same hours: `Monday–Friday: 08:00–20:00`. */
export function weekInWords(openings: readonly Values[]): string[] {
  const lines: { first: string; last: string; hours: string }[] = [];
  for (const { id } of WEEKDAYS) {
    const hours = hoursInWords(openings, id);
    const before = lines.at(-1);
    if (before?.hours === hours) before.last = id;
    else lines.push({ first: id, last: id, hours });
  }
  return lines.map(({ first, last, hours }) => {
    const days = first === last ? dayName(first) : `${dayName(first)}–${dayName(last)}`;
    return `${days}: ${hours}`;
  });
}

function hoursInWords(openings: readonly Values[], day: string): string {
  const hours = openingsOn(openings, day).map(({ row }) => {
    const end = textAt(row, "endDay");
    const until = end && end !== day ? `${dayName(end)} ` : "";
    return `${timeOf(row, "startTime")}–${until}${timeOf(row, "endTime")}`;
  });
  return hours.join(", ") || t("closed");
}

const timeOf = (row: Values, path: string): string => textAt(row, path).slice(0, 5);

/** One line for each exception: `Summer: 1 July 2026 – 31 July 2026: closed`. */
export function exceptionsInWords(exceptions: readonly Values[], clock: Clock): string[] {
  return exceptions.map((exception) => {
    const day = (path: string, row = exception) => formatPlainDate(textAt(row, path), clock);
    const dates = isOneDay(exception)
      ? day("startDate")
      : `${day("startDate")} – ${day("endDate")}`;
    const openings = rowsAt(exception, "openings").map((row) =>
      isOneDay(exception)
        ? `${timeOf(row, "startTime")}–${timeOf(row, "endTime")}`
        : `${day("startDate", row)} ${timeOf(row, "startTime")} – ${day("endDate", row)} ${timeOf(row, "endTime")}`,
    );
    return `${textAt(exception, "name")}: ${dates}: ${openings.join(", ") || t("closed")}`;
  });
}

export function isOneDay(exception: Values): boolean {
  const day = textAt(exception, "startDate");
  return day !== "" && day === textAt(exception, "endDate");
}

/** An exception with changes; the openings of a single day are on that day. */
export function withChanges(exception: Values, changes: Values): Values {
  const changed = { ...exception, ...changes };
  if (!isOneDay(changed)) return changed;
  const { startDate, endDate } = changed as Record<string, unknown>;
  const openings = rowsAt(changed, "openings").map((row) => ({ ...row, startDate, endDate }));
  return { ...changed, openings };
}
