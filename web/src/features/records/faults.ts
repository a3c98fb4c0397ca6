/** What is wrong with a record, at the field that it is about. */
import { RefusedError } from "../../api/errors";
import type { ErrorEntry } from "../../api/types";
import { type Field, fieldsOf, type Section } from "./kind";

/** Words by the path of a field. */
export type Faults = ReadonlyMap<string, string>;

export interface Refusal {
  at: Faults;
  /** Entries that are about no field of the form. */
  elsewhere: ErrorEntry[];
}

/** Sorts the reasons of a refusal by the fields that they are about. */
export function faultsOf(
  error: unknown,
  sections: readonly Section[],
  inWords: (entry: ErrorEntry) => string,
): Refusal {
  const at = new Map<string, string>();
  const elsewhere: ErrorEntry[] = [];
  const fields = fieldsOf(sections);
  for (const entry of error instanceof RefusedError ? error.entries : []) {
    const field = fieldOf(entry, fields);
    if (!field) elsewhere.push(entry);
    else at.set(field.path, [at.get(field.path), inWords(entry)].filter(Boolean).join(" "));
  }
  return { at, elsewhere };
}

/** Refusals that name their field in words only. */
const BY_MESSAGE: [RegExp, string][] = [
  [/^Barcode must be unique/, "barcode"],
  [/^(?:lower\(.*)?name.* value already exists/, "name"],
  [/\bname entered already exists|name in not unique|Name is a required|with this name/i, "name"],
  [/^Template is a required/, "template"],
  [/^(?:lower\(.*)?code.* value already exists/, "code"],
  [/^(?:lower\(.*)?group.* value already exists/, "group"],
  [/^calendar name|non-empty calendar name/i, "name"],
];

function fieldOf(entry: ErrorEntry, fields: readonly Field[]): Field | undefined {
  for (const { key } of entry.parameters ?? []) {
    const found = fields.find(({ path }) => isAbout(key, path));
    if (found) return found;
  }
  const named = BY_MESSAGE.find(([pattern]) => pattern.test(entry.message))?.[1];
  return fields.find(({ path }) => path === named);
}

/** Whether the key of a refusal, such as `loansPolicy.period.duration` or `code`, means the field. */
function isAbout(key: string | null | undefined, path: string): boolean {
  if (!key) return false;
  const plain = key.replace(/\[\d*\]/g, "");
  if (plain === path || plain.startsWith(`${path}.`)) return true;
  return !plain.includes(".") && path.endsWith(`.${plain}`);
}
