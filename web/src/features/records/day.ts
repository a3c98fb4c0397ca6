/** Days of a calendar, and the instants at which they start and end on the library's clock. */
import {
  type CalendarDate,
  parseAbsolute,
  parseDate,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from "@internationalized/date";
import { parseInstant } from "../../lib/dates";

export function dateOf(text: string): CalendarDate | null {
  try {
    return parseDate(text.slice(0, 10));
  } catch {
    return null;
  }
}

/** The day on which an instant falls. */
export function dayOf(text: string, timeZone: string): CalendarDate | null {
  const instant = text ? parseInstant(text) : undefined;
  return instant ? toCalendarDate(parseAbsolute(instant.toISOString(), timeZone)) : null;
}

/** The first or the last second of a day. */
export function instantOf(day: CalendarDate, at: "start" | "end", timeZone: string): string {
  const time = at === "start" ? new Time(0) : new Time(23, 59, 59);
  return toZoned(toCalendarDateTime(day, time), timeZone).toAbsoluteString();
}
