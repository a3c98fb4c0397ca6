/** The records that others refer to by id: types, locations, policies. Each list is read once and kept. */
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { type ListPath, listRecords } from "../../api/records";
import { type FixedList, fixed } from "../../lib/fixedValues";
import type { Choice, Choices } from "./kind";
import type { Values } from "./values";

interface Reference {
  path: ListPath;
  list: string;
  /** The member with its name; `name` unless said. */
  named?: string;
  filter?: string;
  /** Its records are fixed, and their names are translated. */
  fixed?: FixedList;
}

export const REFERENCES = {
  "alternative-title-types": { path: "/alternative-title-types", list: "alternativeTitleTypes" },
  "call-number-types": { path: "/call-number-types", list: "callNumberTypes" },
  campuses: { path: "/location-units/campuses", list: "loccamps" },
  "classification-types": { path: "/classification-types", list: "classificationTypes" },
  "contributor-name-types": { path: "/contributor-name-types", list: "contributorNameTypes" },
  "contributor-types": { path: "/contributor-types", list: "contributorTypes" },
  "damaged-statuses": { path: "/item-damaged-statuses", list: "itemDamageStatuses" },
  "date-types": { path: "/instance-date-types", list: "instanceDateTypes" },
  "electronic-access-relationships": {
    path: "/electronic-access-relationships",
    list: "electronicAccessRelationships",
  },
  "fixed-due-date-schedules": {
    path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
    list: "fixedDueDateSchedules",
  },
  groups: { path: "/groups", list: "usergroups", named: "group" },
  "holdings-note-types": { path: "/holdings-note-types", list: "holdingsNoteTypes" },
  "holdings-sources": { path: "/holdings-sources", list: "holdingsRecordsSources" },
  "holdings-types": { path: "/holdings-types", list: "holdingsTypes" },
  "identifier-types": { path: "/identifier-types", list: "identifierTypes" },
  "ill-policies": { path: "/ill-policies", list: "illPolicies" },
  "instance-formats": { path: "/instance-formats", list: "instanceFormats" },
  "instance-note-types": { path: "/instance-note-types", list: "instanceNoteTypes" },
  "instance-statuses": { path: "/instance-statuses", list: "instanceStatuses" },
  "instance-types": { path: "/instance-types", list: "instanceTypes" },
  institutions: { path: "/location-units/institutions", list: "locinsts" },
  "item-note-types": { path: "/item-note-types", list: "itemNoteTypes" },
  libraries: { path: "/location-units/libraries", list: "loclibs" },
  "loan-policies": { path: "/loan-policy-storage/loan-policies", list: "loanPolicies" },
  "loan-types": { path: "/loan-types", list: "loantypes" },
  locations: { path: "/locations", list: "locations" },
  "lost-item-policies": { path: "/lost-item-fees-policies", list: "lostItemFeePolicies" },
  "material-types": { path: "/material-types", list: "mtypes" },
  "modes-of-issuance": { path: "/modes-of-issuance", list: "issuanceModes" },
  "nature-of-content": { path: "/nature-of-content-terms", list: "natureOfContentTerms" },
  "notice-policies": {
    path: "/patron-notice-policy-storage/patron-notice-policies",
    list: "patronNoticePolicies",
  },
  "notice-templates": {
    path: "/templates",
    list: "templates",
    filter: 'category=""',
  },
  "overdue-policies": { path: "/overdue-fines-policies", list: "overdueFinePolicies" },
  "patron-block-conditions": {
    path: "/patron-block-conditions",
    list: "patronBlockConditions",
    fixed: "blockCondition",
  },
  "pickup-service-points": {
    path: "/service-points",
    list: "servicepoints",
    filter: "pickupLocation==true",
  },
  "request-policies": { path: "/request-policy-storage/request-policies", list: "requestPolicies" },
  "service-points": { path: "/service-points", list: "servicepoints" },
  "staff-slips": { path: "/staff-slips-storage/staff-slips", list: "staffSlips" },
  "statistical-codes": { path: "/statistical-codes", list: "statisticalCodes" },
  "subject-sources": { path: "/subject-sources", list: "subjectSources" },
  "subject-types": { path: "/subject-types", list: "subjectTypes" },
} as const satisfies Record<string, Reference>;

export type ReferenceName = keyof typeof REFERENCES;

/** A choice with the record that it stands for. */
export interface ReferenceChoice extends Choice {
  record: Values;
}

/** The query key of a list; a change of its records makes it stale. */
export const referenceKey = (name: ReferenceName) => ["references", name];

export const referenceQuery = (name: ReferenceName) =>
  queryOptions({
    queryKey: referenceKey(name),
    queryFn: async () => {
      const { path, list, named, filter }: Reference = REFERENCES[name];
      return choicesOf(await listRecords(path, list, filter), named);
    },
    staleTime: 600_000,
  });

/** The records as choices, in the order of their names. */
export function choicesOf(records: readonly Values[], named = "name"): ReferenceChoice[] {
  return records
    .map((record) => ({
      id: String(record.id ?? ""),
      name: String(record[named] ?? record.name ?? record.id ?? ""),
      record,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** What the lists of some references hold; a list that is not there yet is empty. */
export interface References {
  choices: (from: Choices) => readonly Choice[];
  /** The name of a record; its id until the list is there, or if it is in no list. */
  nameOf: (from: Choices, id: string) => string;
  record: (from: ReferenceName, id: string) => Values | undefined;
  isPending: boolean;
  error: unknown;
}

export function useReferences(names: readonly ReferenceName[]): References {
  const wanted = [...new Set(names)].sort();
  const results = useQueries({ queries: wanted.map(referenceQuery) });
  const lists = results.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are what matters
  const lookUp = useMemo(() => lookUpIn(wanted, lists), [wanted.join(), ...lists]);
  const isPending = results.some(({ isPending }) => isPending);
  return { ...lookUp, isPending, error: results.find(({ error }) => error)?.error };
}

type LookUp = Pick<References, "choices" | "nameOf" | "record">;

const isFixed = (from: ReferenceName): boolean =>
  (REFERENCES[from] as Reference).fixed !== undefined;

/** The name of a record as it is shown. */
function shown(from: ReferenceName, name: string): string {
  const { fixed: list }: Reference = REFERENCES[from];
  return list ? fixed(list, name) : name;
}

export function lookUpIn(
  names: readonly ReferenceName[],
  lists: readonly (readonly ReferenceChoice[] | undefined)[],
): LookUp {
  const byName = new Map(names.map((name, n) => [name, lists[n] ?? []]));
  const byId = new Map(
    names.map((name, n) => [name, new Map(lists[n]?.map((choice) => [choice.id, choice]))]),
  );
  const choices = (from: Choices): readonly Choice[] => {
    if (typeof from !== "string") return from;
    const found = byName.get(from) ?? [];
    return isFixed(from) ? found.map((one) => ({ ...one, name: shown(from, one.name) })) : found;
  };
  const nameOf = (from: Choices, id: string) => {
    if (typeof from !== "string") return from.find((choice) => choice.id === id)?.name ?? id;
    return shown(from, byId.get(from)?.get(id)?.name ?? id);
  };
  const record = (from: ReferenceName, id: string) => byId.get(from)?.get(id)?.record;
  return { choices, nameOf, record };
}
