/** The types of loans and materials, and reasons for cancelling requests: a name and little more. */
import { msg } from "../../../lib/i18n";
import type { Kind } from "../../records/kind";
import { DESCRIPTION, NAME } from "./common";

export const LOAN_TYPES: Kind = {
  id: "loan-types",
  title: msg("Loan types"),
  one: msg("loan type"),
  path: "/loan-types",
  list: "loantypes",
  affects: ["loan-types"],
  columns: [{ label: msg("Name"), path: "name" }],
  blank: {},
  sections: [{ title: msg("About"), fields: [NAME] }],
};

export const MATERIAL_TYPES: Kind = {
  id: "material-types",
  title: msg("Material types"),
  one: msg("material type"),
  path: "/material-types",
  list: "mtypes",
  affects: ["material-types"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Source"), path: "source" },
  ],
  blank: { source: "local" },
  sections: [{ title: msg("About"), fields: [NAME] }],
};

export const CANCELLATION_REASONS: Kind = {
  id: "cancellation-reasons",
  title: msg("Cancellation reasons"),
  one: msg("cancellation reason"),
  path: "/cancellation-reason-storage/cancellation-reasons",
  list: "cancellationReasons",
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Description"), path: "description" },
    { label: msg("For patrons"), path: "publicDescription" },
  ],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        DESCRIPTION,
        { as: "text", path: "publicDescription", label: msg("Description for patrons"), lines: 3 },
        {
          as: "switch",
          path: "requiresAdditionalInformation",
          label: msg("A comment is required"),
        },
      ],
    },
  ],
};
