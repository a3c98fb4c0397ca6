/** What can be listed and searched, with its columns and facets. */
import type { Found } from "../../../api/archivesTypes";
import { msg } from "../../../lib/i18n";
import { componentPageOf, pageOf } from "../addresses";
import { inWords } from "../values";

export type KindName =
  | "resources"
  | "archival_objects"
  | "accessions"
  | "digital_objects"
  | "top_containers"
  | "agents"
  | "subjects";

export interface KindColumn {
  id: string;
  title: string;
  /** The fields of the index that it shows, those that there are. */
  fields: readonly string[];
  /** The field of the index that it sorts by. */
  sortField?: string;
  isSecondary?: boolean;
}

export interface Kind {
  label: string;
  /** The index's types. */
  types: readonly string[];
  columns: readonly KindColumn[];
  /** The index's fields to narrow by. */
  facets: readonly { id: string; title: string }[];
}

const TITLE: KindColumn = {
  id: "title",
  title: msg("Title"),
  fields: ["title"],
  sortField: "title_sort",
};
const IDENTIFIER: KindColumn = {
  id: "identifier",
  title: msg("Identifier"),
  fields: ["identifier", "digital_object_id"],
};
const LEVEL: KindColumn = {
  id: "level",
  title: msg("Level"),
  fields: ["level"],
  isSecondary: true,
};
const DATES: KindColumn = {
  id: "dates",
  title: msg("Dates"),
  fields: ["dates"],
  isSecondary: true,
};
const EXTENTS: KindColumn = {
  id: "extents",
  title: msg("Extent"),
  fields: ["extents"],
  isSecondary: true,
};
const SOURCE: KindColumn = {
  id: "source",
  title: msg("Source"),
  fields: ["source"],
  isSecondary: true,
};

const SUBJECTS = { id: "subjects", title: msg("Subjects") };
const CREATORS = { id: "creators", title: msg("Creators") };
const PUBLISH = { id: "publish", title: msg("Published") };
const LEVELS = { id: "level", title: msg("Level") };
const SOURCES = { id: "source", title: msg("Source") };

export const KINDS: Record<KindName, Kind> = {
  resources: {
    label: msg("Resources"),
    types: ["resource"],
    columns: [TITLE, IDENTIFIER, LEVEL, DATES, EXTENTS],
    facets: [LEVELS, PUBLISH, SUBJECTS, CREATORS],
  },
  archival_objects: {
    label: msg("Components"),
    types: ["archival_object"],
    columns: [TITLE, LEVEL, DATES],
    facets: [LEVELS, PUBLISH, SUBJECTS],
  },
  accessions: {
    label: msg("Accessions"),
    types: ["accession"],
    columns: [
      TITLE,
      IDENTIFIER,
      { id: "date", title: msg("Received"), fields: ["accession_date"], isSecondary: true },
      EXTENTS,
    ],
    facets: [{ id: "accession_date_year", title: msg("Year") }, CREATORS, SUBJECTS],
  },
  digital_objects: {
    label: msg("Digital objects"),
    types: ["digital_object"],
    columns: [TITLE, IDENTIFIER, LEVEL, DATES],
    facets: [{ id: "digital_object_type", title: msg("Type") }, LEVELS, PUBLISH, SUBJECTS],
  },
  top_containers: {
    label: msg("Top containers"),
    types: ["top_container"],
    columns: [
      {
        id: "container",
        title: msg("Container"),
        fields: ["top_container_u_icusort"],
        sortField: "top_container_u_icusort",
      },
      { id: "collection", title: msg("Collection"), fields: ["collection_display_string_u_sstr"] },
      {
        id: "location",
        title: msg("Location"),
        fields: ["location_display_string_u_sstr"],
        isSecondary: true,
      },
      {
        id: "profile",
        title: msg("Container profile"),
        fields: ["container_profile_display_string_u_sstr"],
        isSecondary: true,
      },
    ],
    facets: [
      { id: "collection_display_string_u_sstr", title: msg("Collection") },
      { id: "location_display_string_u_sstr", title: msg("Location") },
      { id: "container_profile_display_string_u_sstr", title: msg("Container profile") },
    ],
  },
  agents: {
    label: msg("Agents"),
    types: ["agent"],
    columns: [
      { ...TITLE, title: msg("Name") },
      { id: "type", title: msg("Type"), fields: ["primary_type"], isSecondary: true },
      SOURCE,
    ],
    facets: [
      { id: "primary_type", title: msg("Type") },
      SOURCES,
      { id: "rules", title: msg("Rules") },
    ],
  },
  subjects: {
    label: msg("Subjects"),
    types: ["subject"],
    columns: [
      TITLE,
      { id: "term", title: msg("Type"), fields: ["first_term_type"], isSecondary: true },
      SOURCE,
    ],
    facets: [{ id: "first_term_type", title: msg("Type") }, SOURCES],
  },
};

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** What a column says of a found record. */
export function cellText({ fields }: KindColumn, found: Found): string {
  const texts = fields.flatMap((field) => found[field] ?? []).map(String);
  return texts.map(extentInWords).join("; ");
}

/** The index keeps extents as `7 --- linear_feet`. */
function extentInWords(text: string): string {
  const [number, unit] = text.split(" --- ");
  return unit === undefined ? text : `${number} ${inWords(unit).toLowerCase()}`;
}

/** The page of a found record. */
export function foundPage(found: Found, repository: number): string {
  const { uri, resource } = found;
  return typeof resource === "string"
    ? componentPageOf(uri, resource, repository)
    : pageOf(uri, repository);
}
