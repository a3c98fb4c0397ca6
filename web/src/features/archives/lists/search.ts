/** A list as the page's address has it, and the search that it asks the server for. */
import type { Query } from "../../../api/archivesClient";
import type { FoundPage } from "../../../api/archivesTypes";
import type { Facet } from "../../../ui/Facets";
import { inWords } from "../values";
import { KINDS, type KindName } from "./kinds";

export interface ListState {
  kind: KindName;
  q: string;
  filters: Record<string, string[]>;
  sort?: { column: string; direction: "ascending" | "descending" };
}

export const PAGE_SIZE = 50;

/** The state in the address; what cannot be understood is left out. */
export function listStateOf(search: Record<string, unknown>): ListState {
  const kind = String(search.kind ?? "resources");
  const known = Object.hasOwn(KINDS, kind) ? (kind as KindName) : "resources";
  const [column, direction] = String(search.sort ?? "").split(" ");
  const sort = column
    ? { column, direction: direction === "descending" ? direction : ("ascending" as const) }
    : undefined;
  return {
    kind: known,
    q: String(search.q ?? ""),
    filters: filtersOf(search.filters),
    ...(sort && { sort: sort as NonNullable<ListState["sort"]> }),
  };
}

function filtersOf(value: unknown): Record<string, string[]> {
  if (typeof value !== "object" || value === null) return {};
  const known = Object.entries(value).filter(
    ([, values]) => Array.isArray(values) && values.length > 0,
  );
  return Object.fromEntries(known.map(([id, values]) => [id, (values as unknown[]).map(String)]));
}

/** What the address is to have; the usual is left out. */
export function searchOf({ kind, q, filters, sort }: ListState): Record<string, unknown> {
  return {
    kind: kind === "resources" ? undefined : kind,
    q: q || undefined,
    filters: Object.values(filters).some((values) => values.length > 0) ? filters : undefined,
    sort: sort && `${sort.column} ${sort.direction}`,
  };
}

/** One page of the search of a list. */
export function queryOf({ kind, q, filters, sort }: ListState, page: number): Query {
  const { types, columns, facets } = KINDS[kind];
  const fields = new Set(columns.flatMap((column) => column.fields));
  return {
    q,
    page,
    page_size: PAGE_SIZE,
    type: types,
    sort: sortOf(kind, q, sort),
    filter: filterOf(filters),
    fields: ["title", "publish", "suppressed", "resource", ...fields],
    // The counts are those of the first page.
    facet: page === 1 ? facets.map(({ id }) => id) : [],
    facet_mincount: page === 1 ? 1 : undefined,
  };
}

/** By title, or what fits best first if words were given. */
function sortOf(kind: KindName, q: string, sort: ListState["sort"]): string | undefined {
  const columns = KINDS[kind].columns;
  const field = columns.find(({ id }) => id === sort?.column)?.sortField;
  if (field) return `${field} ${sort?.direction === "descending" ? "desc" : "asc"}`;
  return q ? undefined : `${columns[0]?.sortField} asc`;
}

/** One of the values of each facet must fit. */
function filterOf(filters: ListState["filters"]): string | undefined {
  const groups = Object.entries(filters).filter(([, values]) => values.length > 0);
  if (groups.length === 0) return undefined;
  const anyOf = ([field, values]: [string, string[]]) => ({
    jsonmodel_type: "boolean_query",
    op: "OR",
    subqueries: values.map((value) => ({
      jsonmodel_type: "field_query",
      field,
      value,
      literal: true,
    })),
  });
  const query = { jsonmodel_type: "boolean_query", op: "AND", subqueries: groups.map(anyOf) };
  return JSON.stringify({ jsonmodel_type: "advanced_query", query });
}

/** How many values of a facet are shown; the chosen ones always are. */
const SHOWN = 12;

/** The facets of a page with their counts. */
export function facetsOf(state: ListState, page: FoundPage | undefined): Facet[] {
  return KINDS[state.kind].facets.flatMap(({ id, title }) => {
    const values = countsOf(page?.facets.facet_fields?.[id] ?? []);
    const chosen = state.filters[id] ?? [];
    const missing = chosen.filter((value) => !values.some(({ id }) => id === value));
    const shown = [
      ...values.filter(({ id }, at) => at < SHOWN || chosen.includes(id)),
      ...missing.map((value) => ({ id: value, label: inWords(value), count: 0 })),
    ];
    return shown.length > 0 ? [{ id, title, values: shown }] : [];
  });
}

/** Values and counts come one after the other. */
function countsOf(flat: (string | number)[]): { id: string; label: string; count: number }[] {
  const pairs = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const value = String(flat[at]);
    pairs.push({ id: value, label: inWords(value), count: Number(flat[at + 1]) });
  }
  return pairs;
}
