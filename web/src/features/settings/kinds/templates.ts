/** Texts with tokens: staff slips and notices (docs/folio/policies.md#staff-slips, docs/folio/messages.md). */
import { msg } from "../../../lib/i18n";
import type { Choice, Kind } from "../../records/kind";
import { DESCRIPTION, NAME } from "./common";

export const STAFF_SLIPS: Kind = {
  id: "staff-slips",
  title: msg("Staff slips"),
  one: msg("staff slip"),
  path: "/staff-slips-storage/staff-slips",
  list: "staffSlips",
  affects: ["staff-slips"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Active"), path: "active" },
    { label: msg("Description"), path: "description" },
  ],
  blank: { active: true, template: "" },
  sections: [
    {
      title: msg("About"),
      fields: [NAME, { as: "switch", path: "active", label: msg("Active") }, DESCRIPTION],
    },
    {
      title: msg("Text"),
      fields: [
        { as: "template", path: "template", label: msg("Text"), tokens: "slip", required: true },
      ],
    },
  ],
};

const CATEGORIES: readonly Choice[] = [
  { id: "Loan", name: msg("Loan") },
  { id: "Request", name: msg("Request") },
  { id: "FeeFineCharge", name: msg("Fee/fine charge") },
  { id: "FeeFineAction", name: msg("Fee/fine action") },
  { id: "AutomatedFeeFineCharge", name: msg("Automated fee/fine charge") },
  { id: "AutomatedFeeFineAdjustment", name: msg("Automated fee/fine adjustment") },
];

export const NOTICE_TEMPLATES: Kind = {
  id: "notice-templates",
  title: msg("Notice templates"),
  one: msg("notice template"),
  path: "/templates",
  list: "templates",
  filter: 'category=""',
  affects: ["notice-templates"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Category"), path: "category" },
    { label: msg("Active"), path: "active" },
    { label: msg("Description"), path: "description" },
  ],
  blank: {
    active: true,
    outputFormats: ["text/html"],
    templateResolver: "mustache",
    localizedTemplates: { en: { header: "", body: "" } },
    scope: "patronNotice",
  },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        {
          as: "choice",
          path: "category",
          label: msg("Category"),
          from: CATEGORIES,
          required: true,
        },
        { as: "switch", path: "active", label: msg("Active") },
        DESCRIPTION,
      ],
    },
    {
      title: msg("Message"),
      fields: [
        {
          as: "text",
          path: "localizedTemplates.en.header",
          label: msg("Subject"),
          required: true,
        },
        {
          as: "template",
          path: "localizedTemplates.en.body",
          label: msg("Text"),
          tokens: "notice",
          required: true,
        },
      ],
    },
  ],
};
