/** What several declarations share. */
import { msg } from "../../../lib/i18n";
import type { Choice, Field } from "../../records/kind";
import { type Values, valueAt } from "../../records/values";

export const PERIODS: readonly Choice[] = [
  { id: "Minutes", name: msg("minutes") },
  { id: "Hours", name: msg("hours") },
  { id: "Days", name: msg("days") },
  { id: "Weeks", name: msg("weeks") },
  { id: "Months", name: msg("months") },
];

/** The periods of lost item policies. */
export const LONG_PERIODS: readonly Choice[] = [...PERIODS, { id: "Years", name: msg("years") }];

export const RATES: readonly Choice[] = [
  { id: "minute", name: msg("minute") },
  { id: "hour", name: msg("hour") },
  { id: "day", name: msg("day") },
  { id: "week", name: msg("week") },
  { id: "month", name: msg("month") },
  { id: "year", name: msg("year") },
];

export const NAME: Field = { as: "text", path: "name", label: msg("Name"), required: true };
export const CODE: Field = { as: "text", path: "code", label: msg("Code"), required: true };
export const DESCRIPTION: Field = {
  as: "text",
  path: "description",
  label: msg("Description"),
  lines: 3,
};

/** Conditions of fields. */
export const is = (path: string, value: unknown) => (record: Values) =>
  valueAt(record, path) === value;

export const isNot = (path: string, value: unknown) => (record: Values) =>
  valueAt(record, path) !== value;

export const both =
  (...conditions: ((record: Values) => boolean)[]) =>
  (record: Values) =>
    conditions.every((condition) => condition(record));
