/** The fields of an item (docs/folio/inventory.md#items, docs/folio/inventory-business.md#items-with-names). */
import { msg } from "../../../lib/i18n";
import type { Choice, Section } from "../../records/kind";
import type { Values } from "../../records/values";
import {
  ADMINISTRATIVE_NOTES,
  DISCOVERY_SUPPRESS,
  ELECTRONIC_ACCESS,
  FORMER_IDS,
  notes,
  STATISTICAL_CODES,
} from "./common";

export const newItem = (holdingsRecordId: string): Values => ({
  holdingsRecordId,
  status: { name: "Available" },
  discoverySuppress: false,
});

const NOTE_AT: readonly Choice[] = [
  { id: "Check in", name: msg("Check in") },
  { id: "Check out", name: msg("Check out") },
];

export const ITEM_SECTIONS: readonly Section[] = [
  {
    title: msg("Item"),
    fields: [
      { as: "text", path: "barcode", label: msg("Barcode") },
      {
        as: "choice",
        path: "materialType.id",
        label: msg("Material type"),
        from: "material-types",
        required: true,
      },
      {
        as: "choice",
        path: "permanentLoanType.id",
        label: msg("Permanent loan type"),
        from: "loan-types",
        required: true,
      },
      {
        as: "choice",
        path: "temporaryLoanType.id",
        label: msg("Temporary loan type"),
        from: "loan-types",
      },
      {
        as: "choice",
        path: "permanentLocation.id",
        label: msg("Permanent location of the item"),
        hint: msg("Leave it empty for that of the holdings."),
        from: "locations",
      },
      {
        as: "choice",
        path: "temporaryLocation.id",
        label: msg("Temporary location of the item"),
        from: "locations",
      },
      { as: "text", path: "accessionNumber", label: msg("Accession number") },
      { as: "text", path: "itemIdentifier", label: msg("Item identifier") },
    ],
  },
  {
    title: msg("Enumeration"),
    fields: [
      { as: "text", path: "copyNumber", label: msg("Copy number") },
      { as: "text", path: "volume", label: msg("Volume") },
      { as: "text", path: "enumeration", label: msg("Enumeration") },
      { as: "text", path: "chronology", label: msg("Chronology") },
      { as: "text", path: "displaySummary", label: msg("Display summary") },
      { as: "text", path: "numberOfPieces", label: msg("Number of pieces") },
      { as: "text", path: "descriptionOfPieces", label: msg("Description of pieces") },
    ],
  },
  {
    title: msg("Call number of the item"),
    fields: [
      {
        as: "text",
        path: "itemLevelCallNumber",
        label: msg("Call number"),
        hint: msg("Leave it empty for that of the holdings."),
      },
      { as: "text", path: "itemLevelCallNumberPrefix", label: msg("Call number prefix") },
      { as: "text", path: "itemLevelCallNumberSuffix", label: msg("Call number suffix") },
      {
        as: "choice",
        path: "itemLevelCallNumberTypeId",
        label: msg("Call number type"),
        from: "call-number-types",
      },
    ],
  },
  {
    title: msg("Condition"),
    fields: [
      {
        as: "choice",
        path: "itemDamagedStatusId",
        label: msg("Damage"),
        from: "damaged-statuses",
      },
      { as: "text", path: "numberOfMissingPieces", label: msg("Number of missing pieces") },
      { as: "text", path: "missingPieces", label: msg("Missing pieces") },
    ],
  },
  {
    title: msg("Notes and access"),
    fields: [
      notes("itemNoteTypeId", "item-note-types"),
      {
        as: "rows",
        path: "circulationNotes",
        label: msg("Notes at the desk"),
        one: msg("Desk note"),
        blank: { noteType: "Check in", staffOnly: false },
        fields: [
          { as: "choice", path: "noteType", label: msg("Shown at"), from: NOTE_AT, required: true },
          { as: "text", path: "note", label: msg("Note"), required: true },
          { as: "switch", path: "staffOnly", label: msg("For staff only") },
        ],
      },
      ELECTRONIC_ACCESS,
    ],
  },
  {
    title: msg("Administration"),
    fields: [FORMER_IDS, DISCOVERY_SUPPRESS, ADMINISTRATIVE_NOTES, STATISTICAL_CODES],
  },
];
