/** Records as the forms see them: JSON whose members are reached by paths such as `loansPolicy.period`. */

export type Values = Readonly<Record<string, unknown>>;

export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(record: Values, path: string): unknown {
  let value: unknown = record;
  for (const member of path.split(".")) {
    if (!isValues(value)) return undefined;
    value = value[member];
  }
  return value;
}

/** The record with another value at a path; undefined takes the member away. */
export function withValue(record: Values, path: string, value: unknown): Values {
  const [member = "", ...rest] = path.split(".");
  if (rest.length > 0) {
    const inner = record[member];
    const changed = withValue(isValues(inner) ? inner : {}, rest.join("."), value);
    return withValue(record, member, isEmpty(changed) ? undefined : changed);
  }
  if (value !== undefined) return { ...record, [member]: value };
  const { [member]: _, ...others } = record;
  return others;
}

export function textAt(record: Values, path: string): string {
  const value = valueAt(record, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function textsAt(record: Values, path: string): string[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}

export function rowsAt(record: Values, path: string): Values[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.filter(isValues) : [];
}

/** Whether there is nothing in it: no text, no rows, no members. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return isValues(value) && Object.keys(value).length === 0;
}

/** Whether two values are the same JSON, whatever the order of members; a missing member equals an empty one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, n) => isSame(value, other[n]));
  }
  if (isValues(one) && isValues(other)) {
    const members = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...members].every((member) => isSame(one[member], other[member]));
  }
  return one === other;
}
