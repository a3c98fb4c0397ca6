/** Patron groups and the limits of automated blocks (docs/folio/patron-blocks.md). */
import { msg } from "../../../lib/i18n";
import type { Kind } from "../../records/kind";

export const GROUPS: Kind = {
  id: "patron-groups",
  title: msg("Patron groups"),
  one: msg("patron group"),
  path: "/groups",
  list: "usergroups",
  named: "group",
  affects: ["groups"],
  columns: [
    { label: msg("Group"), path: "group" },
    { label: msg("Description"), path: "desc" },
    { label: msg("Days until accounts expire"), path: "expirationOffsetInDays" },
  ],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        { as: "text", path: "group", label: msg("Group"), required: true },
        { as: "text", path: "desc", label: msg("Description"), lines: 3 },
        {
          as: "number",
          path: "expirationOffsetInDays",
          label: msg("Days until accounts expire"),
          least: 1,
        },
      ],
    },
  ],
};

export const BLOCK_CONDITIONS: Kind = {
  id: "patron-block-conditions",
  title: msg("Conditions of patron blocks"),
  one: msg("condition"),
  path: "/patron-block-conditions",
  list: "patronBlockConditions",
  affects: ["patron-block-conditions"],
  isFixed: true,
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Borrowing"), path: "blockBorrowing" },
    { label: msg("Renewals"), path: "blockRenewals" },
    { label: msg("Requests"), path: "blockRequests" },
    { label: msg("Message"), path: "message" },
  ],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        {
          as: "text",
          path: "name",
          label: msg("Name"),
          required: true,
          fixed: "blockCondition",
        },
        { as: "switch", path: "blockBorrowing", label: msg("Blocks borrowing"), required: true },
        { as: "switch", path: "blockRenewals", label: msg("Blocks renewals"), required: true },
        { as: "switch", path: "blockRequests", label: msg("Blocks requests"), required: true },
        { as: "text", path: "message", label: msg("Message to be displayed"), lines: 3 },
      ],
    },
  ],
};

export const BLOCK_LIMITS: Kind = {
  id: "patron-block-limits",
  title: msg("Limits of patron blocks"),
  one: msg("limit"),
  path: "/patron-block-limits",
  list: "patronBlockLimits",
  columns: [
    { label: msg("Patron group"), path: "patronGroupId" },
    { label: msg("Condition"), path: "conditionId" },
    { label: msg("Limit"), path: "value" },
  ],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        {
          as: "choice",
          path: "patronGroupId",
          label: msg("Patron group"),
          from: "groups",
          required: true,
        },
        {
          as: "choice",
          path: "conditionId",
          label: msg("Condition"),
          from: "patron-block-conditions",
          required: true,
        },
        {
          as: "number",
          path: "value",
          label: msg("Limit"),
          least: 0,
          decimals: 2,
          required: true,
        },
      ],
    },
  ],
};
