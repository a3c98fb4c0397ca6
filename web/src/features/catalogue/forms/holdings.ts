/** The fields of a holdings record (docs/folio/inventory.md#holdings). */
import { msg } from "../../../lib/i18n";
import type { Field, Section } from "../../records/kind";
import type { Values } from "../../records/values";
import {
  ADMINISTRATIVE_NOTES,
  DISCOVERY_SUPPRESS,
  ELECTRONIC_ACCESS,
  FORMER_IDS,
  notes,
  STATISTICAL_CODES,
} from "./common";

export const newHoldings = (instanceId: string): Values => ({
  instanceId,
  discoverySuppress: false,
});

const statements = (path: string, label: string): Field => ({
  as: "rows",
  path,
  label,
  one: msg("Statement"),
  blank: {},
  fields: [
    { as: "text", path: "statement", label: msg("Statement"), required: true },
    { as: "text", path: "note", label: msg("Note for the public") },
    { as: "text", path: "staffNote", label: msg("Note for staff") },
  ],
});

export const HOLDINGS_SECTIONS: readonly Section[] = [
  {
    title: msg("Place and call number"),
    fields: [
      {
        as: "choice",
        path: "permanentLocationId",
        label: msg("Permanent location"),
        from: "locations",
        required: true,
      },
      {
        as: "choice",
        path: "temporaryLocationId",
        label: msg("Temporary location"),
        from: "locations",
      },
      { as: "text", path: "callNumber", label: msg("Call number") },
      { as: "text", path: "callNumberPrefix", label: msg("Call number prefix") },
      { as: "text", path: "callNumberSuffix", label: msg("Call number suffix") },
      {
        as: "choice",
        path: "callNumberTypeId",
        label: msg("Call number type"),
        from: "call-number-types",
      },
      { as: "text", path: "copyNumber", label: msg("Copy number") },
      { as: "text", path: "shelvingTitle", label: msg("Shelving title") },
    ],
  },
  {
    title: msg("Holdings statements"),
    fields: [
      statements("holdingsStatements", msg("Statements")),
      statements("holdingsStatementsForSupplements", msg("Statements for supplements")),
      statements("holdingsStatementsForIndexes", msg("Statements for indexes")),
    ],
  },
  {
    title: msg("Notes and access"),
    fields: [notes("holdingsNoteTypeId", "holdings-note-types"), ELECTRONIC_ACCESS],
  },
  {
    title: msg("Administration"),
    fields: [
      {
        as: "choice",
        path: "sourceId",
        label: msg("Source"),
        from: "holdings-sources",
        required: true,
      },
      { as: "choice", path: "holdingsTypeId", label: msg("Holdings type"), from: "holdings-types" },
      { as: "choice", path: "illPolicyId", label: msg("Interlibrary loan"), from: "ill-policies" },
      { as: "text", path: "acquisitionMethod", label: msg("Acquisition method") },
      { as: "text", path: "receiptStatus", label: msg("Receipt status") },
      { as: "text", path: "retentionPolicy", label: msg("Retention policy") },
      { as: "text", path: "digitizationPolicy", label: msg("Digitization policy") },
      FORMER_IDS,
      DISCOVERY_SUPPRESS,
      ADMINISTRATIVE_NOTES,
      STATISTICAL_CODES,
    ],
  },
];
