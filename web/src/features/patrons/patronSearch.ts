/** The search for patrons: its parameters in the address, and its query. */
import { allOf, beginning, oneOf, words } from "../../lib/cql";
import { msg } from "../../lib/i18n";

/** Where the typed text is looked for. */
export const FIELDS = [
  { id: "any", label: msg("Anywhere") },
  { id: "name", label: msg("Name") },
  { id: "barcode", label: msg("Barcode") },
  { id: "username", label: msg("User name") },
  { id: "email", label: msg("E-mail") },
] as const;

export type Field = (typeof FIELDS)[number]["id"];

export const SORTS = ["name", "barcode", "username", "expires"] as const;

export type Sort = (typeof SORTS)[number];

export interface PatronSearch {
  q?: string;
  in?: Field;
  active?: "yes" | "no";
  groups?: string[];
  sort?: Sort;
  down?: boolean;
}

/** The search that an address asks for; what it cannot mean is left out. */
export function patronSearchOf(raw: Record<string, unknown>): PatronSearch {
  const field = FIELDS.find(({ id }) => id === raw.in)?.id;
  const sort = SORTS.find((sort) => sort === raw.sort);
  const groups = Array.isArray(raw.groups) ? raw.groups.filter(isText) : [];
  const active = raw.active === "yes" || raw.active === "no" ? raw.active : undefined;
  return {
    ...(raw.q !== undefined && raw.q !== "" && { q: String(raw.q) }), // digits arrive as a number
    ...(field && field !== "any" && { in: field }),
    ...(active && { active }),
    ...(groups.length > 0 && { groups }),
    ...(sort && { sort }),
    ...(raw.down === true && { down: true }),
  };
}

export function patronQuery(search: PatronSearch): string {
  const { q, active, groups = [] } = search;
  const query = allOf([
    q?.trim() && textClause(q, search.in ?? "any"),
    active && `active==${active === "yes"}`,
    groups.length > 0 && oneOf("patronGroup", groups),
  ]);
  return `${query} sortby ${sortKeys(search)}`;
}

function textClause(text: string, field: Field): string {
  switch (field) {
    case "any":
      return words("keywords", text);
    case "name":
      return nameClause(text);
    case "barcode":
      return beginning("barcode", text);
    case "username":
      return beginning("username", text);
    case "email":
      return beginning("personal.email", text);
  }
}

/** Each word begins one of the names. */
function nameClause(text: string): string {
  const names = ["lastName", "firstName", "preferredFirstName", "middleName"];
  const each = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((word) => names.map((name) => words(`personal.${name}`, word)).join(" or "));
  return allOf(each);
}

const SORT_FIELDS: Record<Sort, readonly string[]> = {
  name: ["personal.lastName", "personal.firstName"],
  barcode: ["barcode"],
  username: ["username"],
  expires: ["expirationDate"],
};

function sortKeys({ sort = "name", down = false }: PatronSearch): string {
  const direction = down ? "/sort.descending" : "";
  return SORT_FIELDS[sort].map((field) => `${field}${direction}`).join(" ");
}

const isText = (value: unknown): value is string => typeof value === "string";
