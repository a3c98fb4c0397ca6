/** The search for requests: its parameters in the address, and its query. */
import type { RequestStatus, RequestType } from "../../api/requests";
import { allOf, beginning, field, oneOf, words } from "../../lib/cql";
import { msg } from "../../lib/i18n";

export const FIELDS = [
  { id: "any", label: msg("Anywhere") },
  { id: "item", label: msg("Item barcode") },
  { id: "title", label: msg("Title") },
  { id: "requester", label: msg("Requester") },
] as const;

export type Field = (typeof FIELDS)[number]["id"];

export const TYPES: readonly RequestType[] = ["Hold", "Page", "Recall"];

export const OPEN: readonly RequestStatus[] = [
  "Open - Not yet filled",
  "Open - In transit",
  "Open - Awaiting pickup",
  "Open - Awaiting delivery",
];

export const STATUSES: readonly RequestStatus[] = [
  ...OPEN,
  "Closed - Filled",
  "Closed - Cancelled",
  "Closed - Unfilled",
  "Closed - Pickup expired",
];

const SORTS: Record<string, string> = {
  date: "requestDate",
  title: "instance.title",
  requester: "requester.lastName",
  status: "status",
  type: "requestType",
};

export interface RequestSearch {
  q?: string;
  in?: Field;
  /** Open requests without it. */
  statuses?: string[];
  types?: string[];
  pickup?: string;
  sort?: string;
  down?: boolean;
}

/** The search that an address asks for; what it cannot mean is left out. */
export function requestSearchOf(raw: Record<string, unknown>): RequestSearch {
  const among = (values: unknown, known: readonly string[]) =>
    Array.isArray(values) ? values.filter((value) => known.includes(value)) : [];
  const statuses = among(raw.statuses, STATUSES);
  const types = among(raw.types, TYPES);
  const where = FIELDS.find(({ id }) => id === raw.in)?.id;
  return {
    ...(raw.q !== undefined && raw.q !== "" && { q: String(raw.q) }), // digits arrive as a number
    ...(where && where !== "any" && { in: where }),
    ...(statuses.length > 0 && { statuses }),
    ...(types.length > 0 && { types }),
    ...(typeof raw.pickup === "string" && raw.pickup && { pickup: raw.pickup }),
    ...(typeof raw.sort === "string" && SORTS[raw.sort] && { sort: raw.sort }),
    ...(raw.down === true && { down: true }),
  };
}

export function requestQuery(search: RequestSearch): string {
  const { q, statuses = OPEN, types = [], pickup, sort = "date", down = false } = search;
  const query = allOf([
    q?.trim() && textClause(q, search.in ?? "any"),
    oneOf("status", statuses),
    types.length > 0 && oneOf("requestType", types),
    pickup && field("pickupServicePointId", "==", pickup),
  ]);
  return `${query} sortby ${SORTS[sort]}${down ? "/sort.descending" : ""}`;
}

function textClause(text: string, where: Field): string {
  const item = beginning("item.barcode", text);
  const title = words("instance.title", text);
  const requester = `${beginning("requester.barcode", text)} or ${beginning("requester.lastName", text)}`;
  switch (where) {
    case "item":
      return item;
    case "title":
      return title;
    case "requester":
      return requester;
    case "any":
      return `${item} or ${title} or ${requester}`;
  }
}
