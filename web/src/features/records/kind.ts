/**
 * The declaration of a kind of record: its fields, columns and paths. Lists, details and forms are drawn from it, so that
 * a new kind needs no page of its own.
 */
import type { RecordPath } from "../../api/records";
import type { FixedList } from "../../lib/fixedValues";
import type { ReferenceName } from "./references";
import type { Values } from "./values";

export interface Choice {
  id: string;
  name: string;
}

/** What a choice is made from: a list written here, or the records of another kind. */
export type Choices = readonly Choice[] | ReferenceName;

interface Common {
  /** Where in the record, e.g. `loansPolicy.period`. */
  path: string;
  label: string;
  hint?: string;
  required?: boolean;
  /** Whether the field applies; a value of a field that does not is not saved. */
  when?: (record: Values) => boolean;
}

export type Field = Common &
  (
    | { as: "text"; lines?: number; fixed?: FixedList }
    | { as: "number"; least?: number; most?: number; decimals?: number }
    | { as: "switch" }
    | {
        as: "choice";
        from: Choices;
        /**
         * Only what fits another field: records with the same value in this member (the campuses of an institution), or,
         * if several are chosen there, those (the service points of a location).
         */
        within?: { path: string; label: string };
      }
    | { as: "choices"; from: Choices }
    | { as: "period"; units: readonly Choice[] }
    | { as: "rate"; units: readonly Choice[] }
    /** A day without a time, `2026-01-31`. */
    | { as: "date" }
    /** An instant at the start or the end of a day on the library's clock. */
    | { as: "day"; at: "start" | "end" }
    /** `07:00:00` */
    | { as: "time" }
    | { as: "texts"; one: string }
    | { as: "rows"; one: string; fields: readonly Field[]; blank: Values }
    /** The weekly opening hours of a calendar, and the days on which they do not apply. */
    | { as: "week" }
    | { as: "exceptions" }
    /** HTML with tokens, and how it will look. */
    | { as: "template"; tokens: "slip" | "notice" }
  );

export interface Section {
  title: string;
  fields: readonly Field[];
  when?: (record: Values) => boolean;
}

export interface Column {
  label: string;
  /** The field whose value is shown. */
  path: string;
}

export interface Kind {
  /** The last part of the page's path, e.g. `loan-policies`. */
  id: string;
  /** The heading of the list. */
  title: string;
  /** One of them, within a sentence. */
  one: string;
  path: RecordPath;
  /** The member of the list's answer that holds the records. */
  list: string;
  /** The member that is shown as the record's name; `name` unless said. */
  named?: string;
  columns: readonly Column[];
  sections: readonly Section[];
  /** A new record. */
  blank: Values;
  /** Other queries that a change makes stale. */
  affects?: readonly ReferenceName[];
  /** Records of this kind are made by the server: they can be changed, but neither added nor deleted. */
  isFixed?: boolean;
  /** The server chooses the ids of new records, whatever it is sent; these members tell one from the others. */
  toldBy?: readonly string[];
  /** Only the records that this finds. */
  filter?: string;
}

export function fieldsOf(sections: readonly Section[]): Field[] {
  return sections.flatMap(({ fields }) => fields);
}

export function nameOf(kind: Pick<Kind, "named" | "one">, record: Values): string {
  const name = record[kind.named ?? "name"];
  return typeof name === "string" && name ? name : kind.one;
}

/** The sections and fields that apply to a record. */
export function applying(sections: readonly Section[], record: Values): Section[] {
  return sections
    .filter(({ when }) => !when || when(record))
    .map((section) => ({ ...section, fields: fieldsApplying(section.fields, record) }))
    .filter(({ fields }) => fields.length > 0);
}

export function fieldsApplying(fields: readonly Field[], record: Values): Field[] {
  return fields.filter(({ when }) => !when || when(record));
}
