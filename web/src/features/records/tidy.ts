/** What is sent for what was typed. */
import { applying, type Field, fieldsApplying, fieldsOf, type Section } from "./kind";
import {
  isEmpty,
  isValues,
  rowsAt,
  textAt,
  textsAt,
  type Values,
  valueAt,
  withValue,
} from "./values";

/**
 * Without blank texts and rows, and without values of fields that do not apply. Members that no field is about stay as
 * they were.
 */
export function tidy(sections: readonly Section[], record: Values): Values {
  const applied = fieldsOf(applying(sections, record));
  const used = new Set(applied.map(({ path }) => path));
  const left = fieldsOf(sections).filter(({ path }) => !used.has(path));
  const without = left.reduce(leaveOut, record);
  return applied.reduce(tidyField, without);
}

/** A switch that a record must have is off where it does not apply. */
function leaveOut(record: Values, { as, path, required }: Field): Values {
  return withValue(record, path, as === "switch" && required ? false : undefined);
}

function tidyField(record: Values, field: Field): Values {
  const { path } = field;
  const value = valueAt(record, path);
  switch (field.as) {
    case "texts": {
      const texts = textsAt(record, path).map((text) => text.trim());
      return withList(
        record,
        path,
        texts.filter((text) => text),
      );
    }
    case "rows": {
      const rows = rowsAt(record, path).map((row) => tidyRow(field.fields, row));
      return withList(
        record,
        path,
        rows.filter((row) => !isBlankRow(field.fields, row)),
      );
    }
    case "week":
    case "exceptions":
      return withList(record, path, rowsAt(record, path));
    case "choices":
      return withList(record, path, textsAt(record, path));
    case "text":
      return withValue(record, path, textAt(record, path).trim() || undefined);
    case "period":
    case "rate":
      return withValue(record, path, isWhole(value) ? value : undefined);
    default:
      return withValue(record, path, isEmpty(value) ? undefined : value);
  }
}

/** An empty list within a member is left out: `allowedServicePoints: {Hold: []}` would be refused. */
function withList(record: Values, path: string, list: readonly unknown[]): Values {
  return withValue(record, path, list.length === 0 && path.includes(".") ? undefined : list);
}

/** Whether a period or a rate has both its number and its unit. */
function isWhole(value: unknown): boolean {
  if (!isValues(value)) return false;
  return !isEmpty(value.intervalId) && !(isEmpty(value.duration) && isEmpty(value.quantity));
}

function tidyRow(fields: readonly Field[], row: Values): Values {
  return tidy([{ title: "", fields }], row);
}

/** A row in which nothing was typed: switches and choices that were preset do not count. */
function isBlankRow(fields: readonly Field[], row: Values): boolean {
  return fieldsApplying(fields, row)
    .filter(({ as, required }) => as !== "switch" && !(as === "choice" && !required))
    .every(({ path }) => isEmpty(valueAt(row, path)));
}
