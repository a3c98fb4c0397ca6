/** Fields that instances, holdings and items share. */
import { msg } from "../../../lib/i18n";
import type { Field } from "../../records/kind";
import type { ReferenceName } from "../../records/references";

export const notes = (type: string, from: ReferenceName): Field => ({
  as: "rows",
  path: "notes",
  label: msg("Notes"),
  one: msg("Note"),
  blank: { staffOnly: false },
  fields: [
    { as: "choice", path: type, label: msg("Type"), from, required: true },
    { as: "text", path: "note", label: msg("Note"), lines: 2, required: true },
    { as: "switch", path: "staffOnly", label: msg("For staff only") },
  ],
});

export const ADMINISTRATIVE_NOTES: Field = {
  as: "texts",
  path: "administrativeNotes",
  label: msg("Administrative notes"),
  one: msg("Administrative note"),
};

export const FORMER_IDS: Field = {
  as: "texts",
  path: "formerIds",
  label: msg("Former identifiers"),
  one: msg("Former identifier"),
};

export const STATISTICAL_CODES: Field = {
  as: "choices",
  path: "statisticalCodeIds",
  label: msg("Statistical codes"),
  from: "statistical-codes",
};

export const DISCOVERY_SUPPRESS: Field = {
  as: "switch",
  path: "discoverySuppress",
  label: msg("Suppressed from discovery"),
};

export const ELECTRONIC_ACCESS: Field = {
  as: "rows",
  path: "electronicAccess",
  label: msg("Electronic access"),
  one: msg("Link"),
  blank: {},
  fields: [
    {
      as: "choice",
      path: "relationshipId",
      label: msg("Relationship"),
      from: "electronic-access-relationships",
    },
    { as: "text", path: "uri", label: msg("Address (URI)"), required: true },
    { as: "text", path: "linkText", label: msg("Text of the link") },
    { as: "text", path: "materialsSpecification", label: msg("Materials specified") },
    { as: "text", path: "publicNote", label: msg("Note for the public") },
  ],
};
