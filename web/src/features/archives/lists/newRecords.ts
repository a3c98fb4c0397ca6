/** What a new record of each kind needs at least. */
import { msg } from "../../../lib/i18n";
import type { KindName } from "./kinds";

export interface NewField {
  name: string;
  label: string;
  /** The value list to choose from. */
  list?: string;
  preset?: string;
  isOptional?: boolean;
  /** Of several lines or `text`. */
  description?: string;
}

export interface Addition {
  label: string;
  title: string;
  permission: string;
  fields: readonly NewField[];
  /** The path to add to, below the repository or not. */
  path: (repository: number) => string;
  record: (given: Readonly<Record<string, string>>) => object;
}

const TITLE: NewField = { name: "title", label: msg("Title") };
const within = (collection: string) => (repository: number) =>
  `/repositories/${repository}/${collection}`;

interface NewAgent extends Pick<Addition, "label" | "title" | "fields"> {
  /** The last part of the path to add to. */
  collection: string;
  /** What `agent_` and `name_` begin. */
  kind: string;
  /** Further members of the name. */
  more?: object;
}

const agent = ({ label, title, fields, collection, kind, more }: NewAgent): Addition => ({
  label,
  title,
  permission: "update_agent_record",
  fields: [
    ...fields,
    { name: "dates", label: msg("Dates"), isOptional: true },
    { name: "source", label: msg("Source"), list: "name_source", preset: "local" },
  ],
  path: () => `/agents/${collection}`,
  record: (given) => ({
    jsonmodel_type: `agent_${kind}`,
    // A name without this needs a name to sort by as well.
    names: [{ ...given, ...more, jsonmodel_type: `name_${kind}`, sort_name_auto_generate: true }],
  }),
});

export const NEW_RECORDS: Partial<Record<KindName, readonly Addition[]>> = {
  resources: [
    {
      label: msg("New resource…"),
      title: msg("New resource"),
      permission: "update_resource_record",
      fields: [
        TITLE,
        { name: "id_0", label: msg("Identifier") },
        { name: "level", label: msg("Level"), list: "archival_record_level", preset: "collection" },
        {
          name: "expression",
          label: msg("Date"),
          description: msg("As it is to be read: 1900–1950."),
        },
        { name: "number", label: msg("Extent: number") },
        {
          name: "extent_type",
          label: msg("Extent: unit"),
          list: "extent_extent_type",
          preset: "linear_feet",
        },
        {
          name: "language",
          label: msg("Language of the material"),
          list: "language_iso639_2",
          preset: "eng",
        },
        {
          name: "finding_aid_language",
          label: msg("Language of the finding aid"),
          list: "language_iso639_2",
          preset: "eng",
        },
        {
          name: "finding_aid_script",
          label: msg("Script of the finding aid"),
          list: "script_iso15924",
          preset: "Latn",
        },
      ],
      path: within("resources"),
      record: ({ expression, number, extent_type, language, ...given }) => ({
        ...given,
        jsonmodel_type: "resource",
        dates: [{ jsonmodel_type: "date", label: "creation", date_type: "inclusive", expression }],
        extents: [{ jsonmodel_type: "extent", portion: "whole", number, extent_type }],
        lang_materials: [
          {
            jsonmodel_type: "lang_material",
            language_and_script: { jsonmodel_type: "language_and_script", language },
          },
        ],
      }),
    },
  ],
  accessions: [
    {
      label: msg("New accession…"),
      title: msg("New accession"),
      permission: "update_accession_record",
      fields: [
        { ...TITLE, isOptional: true },
        { name: "id_0", label: msg("Identifier") },
        { name: "accession_date", label: msg("Date received"), description: msg("As 2026-11-24.") },
      ],
      path: within("accessions"),
      record: (given) => ({ ...given, jsonmodel_type: "accession" }),
    },
  ],
  digital_objects: [
    {
      label: msg("New digital object…"),
      title: msg("New digital object"),
      permission: "update_digital_object_record",
      fields: [TITLE, { name: "digital_object_id", label: msg("Identifier") }],
      path: within("digital_objects"),
      record: (given) => ({ ...given, jsonmodel_type: "digital_object" }),
    },
  ],
  top_containers: [
    {
      label: msg("New top container…"),
      title: msg("New top container"),
      permission: "update_container_record",
      fields: [
        { name: "type", label: msg("Type"), list: "container_type", preset: "box" },
        { name: "indicator", label: msg("Indicator") },
        { name: "barcode", label: msg("Barcode"), isOptional: true },
      ],
      path: within("top_containers"),
      record: (given) => ({ ...given, jsonmodel_type: "top_container" }),
    },
  ],
  agents: [
    agent({
      ...{ label: msg("New person…"), title: msg("New person") },
      ...{ collection: "people", kind: "person", more: { name_order: "inverted" } },
      fields: [
        { name: "primary_name", label: msg("Family name") },
        { name: "rest_of_name", label: msg("Rest of the name"), isOptional: true },
      ],
    }),
    agent({
      ...{ label: msg("New family…"), title: msg("New family") },
      ...{ collection: "families", kind: "family" },
      fields: [{ name: "family_name", label: msg("Family name") }],
    }),
    agent({
      ...{ label: msg("New corporate body…"), title: msg("New corporate body") },
      ...{ collection: "corporate_entities", kind: "corporate_entity" },
      fields: [
        { name: "primary_name", label: msg("Name") },
        { name: "subordinate_name_1", label: msg("Subordinate name"), isOptional: true },
      ],
    }),
  ],
  subjects: [
    {
      label: msg("New subject…"),
      title: msg("New subject"),
      permission: "update_subject_record",
      fields: [
        { name: "term", label: msg("Term") },
        { name: "term_type", label: msg("Type"), list: "subject_term_type", preset: "topical" },
        { name: "source", label: msg("Source"), list: "subject_source", preset: "local" },
      ],
      path: () => "/subjects",
      record: ({ term, term_type, source }) => ({
        jsonmodel_type: "subject",
        source,
        vocabulary: "/vocabularies/1",
        terms: [{ jsonmodel_type: "term", term, term_type, vocabulary: "/vocabularies/1" }],
      }),
    },
  ],
};
