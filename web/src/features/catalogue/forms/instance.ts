/** The fields of an instance (docs/folio/inventory.md#instances). */
import { msg } from "../../../lib/i18n";
import type { Section } from "../../records/kind";
import type { Values } from "../../records/values";
import {
  ADMINISTRATIVE_NOTES,
  DISCOVERY_SUPPRESS,
  ELECTRONIC_ACCESS,
  notes,
  STATISTICAL_CODES,
} from "./common";

export const NEW_INSTANCE: Values = {
  source: "FOLIO",
  staffSuppress: false,
  discoverySuppress: false,
};

export const INSTANCE_SECTIONS: readonly Section[] = [
  {
    title: msg("Title"),
    fields: [
      { as: "text", path: "title", label: msg("Title"), required: true },
      { as: "text", path: "indexTitle", label: msg("Title to sort by") },
      {
        as: "choice",
        path: "instanceTypeId",
        label: msg("Resource type"),
        from: "instance-types",
        required: true,
      },
      {
        as: "rows",
        path: "alternativeTitles",
        label: msg("Alternative titles"),
        one: msg("Alternative title"),
        blank: {},
        fields: [
          {
            as: "choice",
            path: "alternativeTitleTypeId",
            label: msg("Type"),
            from: "alternative-title-types",
            required: true,
          },
          { as: "text", path: "alternativeTitle", label: msg("Title"), required: true },
        ],
      },
      {
        as: "rows",
        path: "series",
        label: msg("Series"),
        one: msg("Series"),
        blank: {},
        fields: [{ as: "text", path: "value", label: msg("Series"), required: true }],
      },
    ],
  },
  {
    title: msg("Contributors"),
    fields: [
      {
        as: "rows",
        path: "contributors",
        label: msg("Contributors"),
        one: msg("Contributor"),
        blank: { primary: false },
        fields: [
          { as: "text", path: "name", label: msg("Name"), required: true },
          {
            as: "choice",
            path: "contributorNameTypeId",
            label: msg("Type of name"),
            from: "contributor-name-types",
            required: true,
          },
          {
            as: "choice",
            path: "contributorTypeId",
            label: msg("Role"),
            from: "contributor-types",
          },
          { as: "switch", path: "primary", label: msg("Main contributor") },
        ],
      },
    ],
  },
  {
    title: msg("Identifiers"),
    fields: [
      {
        as: "rows",
        path: "identifiers",
        label: msg("Identifiers"),
        one: msg("Identifier"),
        blank: {},
        fields: [
          {
            as: "choice",
            path: "identifierTypeId",
            label: msg("Type"),
            from: "identifier-types",
            required: true,
          },
          { as: "text", path: "value", label: msg("Identifier"), required: true },
        ],
      },
    ],
  },
  {
    title: msg("Publication"),
    fields: [
      {
        as: "rows",
        path: "publication",
        label: msg("Publications"),
        one: msg("Publication"),
        blank: {},
        fields: [
          { as: "text", path: "publisher", label: msg("Publisher") },
          { as: "text", path: "place", label: msg("Place") },
          { as: "text", path: "dateOfPublication", label: msg("Date") },
          { as: "text", path: "role", label: msg("Role") },
        ],
      },
      { as: "choice", path: "dates.dateTypeId", label: msg("Type of date"), from: "date-types" },
      {
        as: "text",
        path: "dates.date1",
        label: msg("Date 1"),
        hint: msg("Up to four characters, such as 1998 or 19uu."),
      },
      { as: "text", path: "dates.date2", label: msg("Date 2") },
      { as: "texts", path: "editions", label: msg("Editions"), one: msg("Edition") },
      {
        as: "texts",
        path: "physicalDescriptions",
        label: msg("Physical descriptions"),
        one: msg("Physical description"),
      },
      {
        as: "choice",
        path: "modeOfIssuanceId",
        label: msg("Mode of issuance"),
        from: "modes-of-issuance",
      },
      {
        as: "texts",
        path: "languages",
        label: msg("Languages"),
        one: msg("Language"),
        hint: msg("Codes of three letters, such as eng."),
      },
    ],
  },
  {
    title: msg("Subjects and classification"),
    fields: [
      {
        as: "rows",
        path: "subjects",
        label: msg("Subjects"),
        one: msg("Subject"),
        blank: {},
        fields: [
          { as: "text", path: "value", label: msg("Subject"), required: true },
          { as: "choice", path: "sourceId", label: msg("Source"), from: "subject-sources" },
          { as: "choice", path: "typeId", label: msg("Type"), from: "subject-types" },
        ],
      },
      {
        as: "rows",
        path: "classifications",
        label: msg("Classifications"),
        one: msg("Classification"),
        blank: {},
        fields: [
          {
            as: "choice",
            path: "classificationTypeId",
            label: msg("Type"),
            from: "classification-types",
            required: true,
          },
          { as: "text", path: "classificationNumber", label: msg("Number"), required: true },
        ],
      },
    ],
  },
  {
    title: msg("Notes and access"),
    fields: [notes("instanceNoteTypeId", "instance-note-types"), ELECTRONIC_ACCESS],
  },
  {
    title: msg("Administration"),
    fields: [
      {
        as: "choice",
        path: "statusId",
        label: msg("Cataloguing status"),
        from: "instance-statuses",
      },
      { as: "date", path: "catalogedDate", label: msg("Catalogued on") },
      { as: "switch", path: "staffSuppress", label: msg("Suppressed from staff") },
      DISCOVERY_SUPPRESS,
      { as: "switch", path: "previouslyHeld", label: msg("Previously held") },
      ADMINISTRATIVE_NOTES,
      {
        as: "choices",
        path: "instanceFormatIds",
        label: msg("Formats"),
        from: "instance-formats",
      },
      {
        as: "choices",
        path: "natureOfContentTermIds",
        label: msg("Nature of content"),
        from: "nature-of-content",
      },
      STATISTICAL_CODES,
    ],
  },
];
