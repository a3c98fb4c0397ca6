/** What is searched for in the catalogue, in the page's address and as CQL (docs/folio/search.md). */
import { msg } from "../../lib/i18n";
import { FACETS } from "./facets";

export interface CatalogueSearch {
  text: string;
  by: string;
  how: string;
  sort: string;
  /** The chosen values by facet. */
  only: Readonly<Record<string, readonly string[]>>;
}

interface SearchOption {
  id: string;
  label: string;
  /** What is asked of; several are joined by `or`. */
  fields: readonly string[];
  /** Compared as a whole: a number or a code. */
  isWhole?: boolean;
}

export const SEARCH_OPTIONS: readonly SearchOption[] = [
  { id: "keyword", label: msg("Title, contributor, identifier"), fields: ["keyword"] },
  { id: "title", label: msg("Title"), fields: ["title"] },
  { id: "contributor", label: msg("Contributor"), fields: ["contributors"] },
  { id: "subject", label: msg("Subject"), fields: ["subjects"] },
  {
    id: "identifier",
    label: msg("Identifier, ISBN, ISSN"),
    fields: ["identifiers.value", "isbn", "issn"],
    isWhole: true,
  },
  {
    id: "call-number",
    label: msg("Call number"),
    fields: ["itemNormalizedCallNumbers", "holdingsNormalizedCallNumbers"],
    isWhole: true,
  },
  { id: "barcode", label: msg("Barcode"), fields: ["items.barcode"], isWhole: true },
  {
    id: "hrid",
    label: msg("HRID"),
    fields: ["hrid", "holdings.hrid", "items.hrid"],
    isWhole: true,
  },
  { id: "publisher", label: msg("Publisher"), fields: ["publisher"] },
  { id: "all", label: msg("Everything"), fields: ["cql.all"] },
  { id: "cql", label: msg("CQL query"), fields: [] },
];

/** How words are looked for. */
export const WORD_RELATIONS = [
  { id: "all", label: msg("All words") },
  { id: "any", label: msg("Any word") },
  { id: "phrase", label: msg("Words one after the other") },
  { id: "exact", label: msg("The whole text") },
  { id: "starts", label: msg("Starts with") },
];

/** How numbers and codes are looked for. */
export const WHOLE_RELATIONS = [
  { id: "exact", label: msg("Exactly") },
  { id: "starts", label: msg("Starts with") },
];

export const SORTS = [
  { id: "relevance", label: msg("Best first"), cql: "" },
  { id: "title", label: msg("Title"), cql: "title" },
  { id: "-title", label: msg("Title, from Z"), cql: "title/sort.descending" },
  { id: "contributor", label: msg("Contributor"), cql: "contributors" },
  { id: "-contributor", label: msg("Contributor, from Z"), cql: "contributors/sort.descending" },
  { id: "-date", label: msg("Newest publication"), cql: "normalizedDate1/sort.descending" },
  { id: "date", label: msg("Oldest publication"), cql: "normalizedDate1" },
  { id: "-updated", label: msg("Changed last"), cql: "metadata.updatedDate/sort.descending" },
];

const DEFAULT: CatalogueSearch = {
  text: "",
  by: "keyword",
  how: "all",
  sort: "relevance",
  only: {},
};

export function relationsOf(by: string): readonly { id: string; label: string }[] {
  if (by === "cql") return [];
  return optionOf(by).isWhole ? WHOLE_RELATIONS : WORD_RELATIONS;
}

/** The relation for an option: the same as before if the option has it. */
export function relationFor(by: string, how: string): string {
  const relations = relationsOf(by);
  return relations.some(({ id }) => id === how) ? how : (relations[0]?.id ?? "all");
}

function optionOf(by: string): SearchOption {
  const option = SEARCH_OPTIONS.find(({ id }) => id === by);
  return option ?? (SEARCH_OPTIONS[0] as SearchOption);
}

/** Reads the address; what is not understood there is left out. */
export function readSearch(address: Readonly<Record<string, unknown>>): CatalogueSearch {
  const by = known(address.by, SEARCH_OPTIONS) ?? DEFAULT.by;
  return {
    text: address.q === undefined ? "" : String(address.q),
    by,
    how: relationFor(by, String(address.how ?? DEFAULT.how)),
    sort: known(address.sort, SORTS) ?? DEFAULT.sort,
    only: readOnly(address.only),
  };
}

function known(value: unknown, list: readonly { id: string }[]): string | undefined {
  return list.find(({ id }) => id === value)?.id;
}

function readOnly(value: unknown): CatalogueSearch["only"] {
  if (typeof value !== "object" || value === null) return {};
  const chosen = Object.entries(value).filter(
    ([facet, values]) => FACETS.some(({ id }) => id === facet) && Array.isArray(values),
  );
  return Object.fromEntries(chosen.map(([facet, values]) => [facet, values.map(String)]));
}

/** The address of a search, without what is as usual. */
export function addressOf(search: CatalogueSearch): Record<string, unknown> {
  const only = Object.entries(search.only).filter(([, values]) => values.length > 0);
  return {
    ...(search.text && { q: search.text }),
    ...(search.by !== DEFAULT.by && { by: search.by }),
    ...(search.how !== relationFor(search.by, DEFAULT.how) && { how: search.how }),
    ...(search.sort !== DEFAULT.sort && { sort: search.sort }),
    ...(only.length > 0 && { only: Object.fromEntries(only) }),
  };
}

/** The query of a search with its order. */
export function queryOf(search: CatalogueSearch): string {
  const sort = SORTS.find(({ id }) => id === search.sort)?.cql;
  return sort ? `${filterOf(search)} sortby ${sort}` : filterOf(search);
}

/** The query without an order, as facets need it. */
export function filterOf({ text, by, how, only }: CatalogueSearch): string {
  const chosen = Object.entries(only).filter(([, values]) => values.length > 0);
  const filters = chosen.map(([facet, values]) => `${facet}==(${values.map(quoted).join(" or ")})`);
  return [conditionOf(text.trim(), by, how), ...filters].join(" and ");
}

function conditionOf(text: string, by: string, how: string): string {
  if (!text) return "cql.allRecords=1";
  if (by === "cql") return `(${text})`;
  const { fields, isWhole } = optionOf(by);
  const conditions = fields.map((name) => `${name}${comparison(text, how, isWhole ?? false)}`);
  return conditions.length === 1 ? (conditions[0] ?? "") : `(${conditions.join(" or ")})`;
}

function comparison(text: string, how: string, isWhole: boolean): string {
  if (how === "starts") return `==${quoted(text).slice(0, -1)}*"`;
  if (isWhole) return `=${quoted(text)}`;
  switch (how) {
    case "any":
      return ` any ${quoted(text)}`;
    case "phrase":
      return `==${quoted(text)}`;
    case "exact":
      return `==/string ${quoted(text)}`;
    default:
      return ` all ${quoted(text)}`;
  }
}

/** Every character is meant as it is. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"*?^]/g, "\\$&")}"`;
}
