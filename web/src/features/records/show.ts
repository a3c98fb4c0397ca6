/** Values of fields in words, for lists and details. */
import { type Clock, formatDate, formatPlainDate } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { type Choices, type Field, fieldsApplying } from "./kind";
import type { ReferenceName, References } from "./references";
import { isEmpty, isValues, rowsAt, textsAt, type Values, valueAt } from "./values";

export interface Surroundings {
  references: Pick<References, "nameOf">;
  clock: Clock;
}

/** The value as one text; empty if there is none. Rows are listed by `rowsInWords`. */
export function inText(field: Field, record: Values, around: Surroundings): string {
  const value = valueAt(record, field.path);
  switch (field.as) {
    case "text": {
      const text = isEmpty(value) ? "" : String(value);
      return field.fixed ? fixed(field.fixed, text) : text;
    }
    case "switch":
      return value === true ? t("Yes") : t("No");
    case "choice":
      return isEmpty(value) ? "" : named(field.from, String(value), around);
    case "choices":
      return textsAt(record, field.path)
        .map((id) => named(field.from, id, around))
        .join(", ");
    case "period":
      return isValues(value) ? counted(value.duration, value.intervalId, field.units) : "";
    case "rate":
      return isValues(value) ? rate(value, field.units) : "";
    case "date":
      return typeof value === "string" ? formatPlainDate(value, around.clock) : "";
    case "day":
      return typeof value === "string" ? formatDate(value, around.clock) : "";
    case "time":
      return typeof value === "string" ? value.slice(0, 5) : "";
    case "texts":
      return textsAt(record, field.path).join("; ");
    case "rows":
      return rowsAt(record, field.path)
        .map((row) => rowInWords(field.fields, row, around))
        .join("; ");
    default:
      return isEmpty(value) ? "" : String(value);
  }
}

/** A row in one line: its values, the switches by their labels. */
export function rowInWords(fields: readonly Field[], row: Values, around: Surroundings): string {
  return fieldsApplying(fields, row)
    .map((field) => {
      if (field.as !== "switch") return inText(field, row, around);
      return valueAt(row, field.path) === true ? t(field.label) : "";
    })
    .filter((text) => text)
    .join(" · ");
}

/** The names of choices that are written in a declaration are messages. */
function named(from: Choices, id: string, around: Surroundings) {
  const name = around.references.nameOf(from, id);
  return typeof from === "string" ? name : t(name);
}

function counted(duration: unknown, unit: unknown, units: readonly { id: string; name: string }[]) {
  const name = units.find(({ id }) => id === unit)?.name;
  if (isEmpty(duration) || !name) return "";
  return `${duration} ${t(name)}`;
}

function rate({ quantity, intervalId }: Values, units: readonly { id: string; name: string }[]) {
  const name = units.find(({ id }) => id === intervalId)?.name;
  if (isEmpty(quantity) || !name) return "";
  return t("{amount} each {unit}", { amount: Number(quantity).toFixed(2), unit: t(name) });
}

/** The lists whose names are needed to show or fill these fields. */
export function referencesOf(fields: readonly Field[]): ReferenceName[] {
  return fields.flatMap((field) => {
    if (field.as === "rows") return referencesOf(field.fields);
    const from = field.as === "choice" || field.as === "choices" ? field.from : [];
    return typeof from === "string" ? [from] : [];
  });
}
