/** The lists of the catalogue that are browsed (docs/folio/search.md#browsing). */
import type { BrowseRow } from "../../api/catalogue";
import { msg } from "../../lib/i18n";
import type { ReferenceName } from "../records/references";
import type { CatalogueSearch } from "./search";

export type ListName = "subjects" | "contributors" | "call-numbers";

export interface BrowseList {
  id: ListName;
  title: string;
  path:
    | "/browse/subjects/instances"
    | "/browse/contributors/instances"
    | "/browse/call-numbers/{browseOptionId}/instances";
  /** The member with the text, which is also what the query is about. */
  member: string;
  /** The member with the id of the row's type, and whose records these are. */
  type: string;
  types: ReferenceName;
  /** What can be browsed by itself. */
  options?: readonly { id: string; label: string }[];
  /** The search that finds the titles of a row. */
  searchOf: (row: BrowseRow) => Partial<CatalogueSearch>;
}

const exactly = (by: string, text: unknown) => ({ by, how: "exact", text: String(text) });

export const LISTS: readonly BrowseList[] = [
  {
    id: "subjects",
    title: msg("Subjects"),
    path: "/browse/subjects/instances",
    member: "value",
    type: "sourceId",
    types: "subject-sources",
    searchOf: ({ value }) => exactly("subject", value),
  },
  {
    id: "contributors",
    title: msg("Contributors"),
    path: "/browse/contributors/instances",
    member: "name",
    type: "contributorNameTypeId",
    types: "contributor-name-types",
    searchOf: ({ name }) => exactly("contributor", name),
  },
  {
    id: "call-numbers",
    title: msg("Call numbers"),
    path: "/browse/call-numbers/{browseOptionId}/instances",
    member: "fullCallNumber",
    type: "callNumberTypeId",
    types: "call-number-types",
    options: [
      { id: "all", label: msg("All call numbers") },
      { id: "lc", label: msg("Library of Congress") },
      { id: "dewey", label: msg("Dewey") },
      { id: "nlm", label: msg("National Library of Medicine") },
      { id: "sudoc", label: msg("Superintendent of Documents") },
      { id: "other", label: msg("Others") },
    ],
    searchOf: ({ callNumberPrefix, fullCallNumber }) =>
      exactly("call-number", [callNumberPrefix, fullCallNumber].filter(Boolean).join(" ")),
  },
];

export function listOf(id: string): BrowseList | undefined {
  return LISTS.find((list) => list.id === id);
}

/** The first page around a text; without one, from the beginning. */
export function aroundQuery({ member }: BrowseList, text: string): string {
  const value = quoted(text);
  return text ? `${member}>=${value} or ${member}<${value}` : `${member}>=${quoted(" ")}`;
}

export const afterQuery = ({ member }: BrowseList, text: string) => `${member}>${quoted(text)}`;

export const beforeQuery = ({ member }: BrowseList, text: string) => `${member}<${quoted(text)}`;

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
