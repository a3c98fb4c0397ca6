/** Patron notice policies (docs/folio/policies.md#patron-notice-policies, docs/folio/notices.md). */
import { msg } from "../../../lib/i18n";
import type { Choice, Field, Kind } from "../../records/kind";
import { textAt, type Values } from "../../records/values";
import { both, DESCRIPTION, is, NAME, PERIODS } from "./common";

const FORMATS: readonly Choice[] = [
  { id: "Email", name: msg("E-mail") },
  { id: "SMS", name: msg("SMS") },
  { id: "Print", name: msg("Print") },
];

const FREQUENCIES: readonly Choice[] = [
  { id: "One time", name: msg("Once") },
  { id: "Recurring", name: msg("Again and again") },
];

const HOW: readonly Choice[] = [
  { id: "Before", name: msg("Before") },
  { id: "Upon At", name: msg("At once") },
  { id: "After", name: msg("After") },
];

const NOT_BEFORE = HOW.filter(({ id }) => id !== "Before");

const LOAN_EVENTS: readonly Choice[] = [
  { id: "Check out", name: msg("Check out") },
  { id: "Check in", name: msg("Check in") },
  { id: "Renewed", name: msg("Renewal") },
  { id: "Due date", name: msg("Due date") },
  { id: "Manual due date change", name: msg("Due date changed by staff") },
  { id: "Item recalled", name: msg("Item recalled") },
  { id: "Hold request for item", name: msg("Hold placed on the item") },
  { id: "Aged to lost", name: msg("Aged to lost") },
];

const REQUEST_EVENTS: readonly Choice[] = [
  { id: "Available", name: msg("Ready for pickup") },
  { id: "Paging request", name: msg("Page requested") },
  { id: "Hold request", name: msg("Hold requested") },
  { id: "Recall request", name: msg("Recall requested") },
  { id: "Request cancellation", name: msg("Request cancelled") },
  { id: "Request expiration", name: msg("Request expires") },
  { id: "Hold expiration", name: msg("Hold shelf time ends") },
];

const FEE_EVENTS: readonly Choice[] = [
  { id: "Overdue fine returned", name: msg("Overdue fine at return") },
  { id: "Overdue fine renewed", name: msg("Overdue fine at renewal") },
  { id: "Aged to lost - fine charged", name: msg("Aged to lost: fine charged") },
  {
    id: "Aged to lost & item returned - fine adjusted",
    name: msg("Aged to lost, item returned: fine adjusted"),
  },
];

/** The events that have a time, so that a notice may come before or after them. */
const TIMED = [
  "Due date",
  "Aged to lost",
  "Request expiration",
  "Hold expiration",
  ...FEE_EVENTS.map(({ id }) => id),
];

const isTimed = (notice: Values) => TIMED.includes(textAt(notice, "sendOptions.sendWhen"));
const hasDistance = (notice: Values) =>
  ["Before", "After"].includes(textAt(notice, "sendOptions.sendHow"));

const notices = (path: string, label: string, events: readonly Choice[], how = HOW): Field => ({
  as: "rows",
  path,
  label,
  one: msg("notice"),
  blank: { format: "Email", realTime: true, sendOptions: { sendWhen: events[0]?.id } },
  fields: [
    {
      as: "choice",
      path: "sendOptions.sendWhen",
      label: msg("Event"),
      from: events,
      required: true,
    },
    {
      as: "choice",
      path: "templateId",
      label: msg("Template"),
      from: "notice-templates",
      required: true,
    },
    { as: "choice", path: "format", label: msg("Sent by"), from: FORMATS, required: true },
    {
      as: "choice",
      path: "sendOptions.sendHow",
      label: msg("When"),
      from: how,
      required: true,
      when: isTimed,
    },
    {
      as: "period",
      path: "sendOptions.sendBy",
      label: msg("How long before or after"),
      units: PERIODS,
      required: true,
      when: both(isTimed, hasDistance),
    },
    {
      as: "choice",
      path: "frequency",
      label: msg("How often"),
      from: FREQUENCIES,
      required: true,
      when: both(isTimed, hasDistance),
    },
    {
      as: "period",
      path: "sendOptions.sendEvery",
      label: msg("Again after"),
      units: PERIODS,
      required: true,
      when: both(isTimed, hasDistance, is("frequency", "Recurring")),
    },
    {
      as: "switch",
      path: "realTime",
      label: msg("At the very time, not together with others at night"),
      required: true,
    },
  ],
});

export const NOTICE_POLICIES: Kind = {
  id: "notice-policies",
  title: msg("Notice policies"),
  one: msg("notice policy"),
  path: "/patron-notice-policy-storage/patron-notice-policies",
  list: "patronNoticePolicies",
  affects: ["notice-policies"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Active"), path: "active" },
    { label: msg("Description"), path: "description" },
  ],
  blank: { active: true, loanNotices: [], requestNotices: [], feeFineNotices: [] },
  sections: [
    {
      title: msg("About"),
      fields: [NAME, { as: "switch", path: "active", label: msg("Active") }, DESCRIPTION],
    },
    {
      title: msg("Loans"),
      fields: [notices("loanNotices", msg("Notices about loans"), LOAN_EVENTS)],
    },
    {
      title: msg("Requests"),
      fields: [notices("requestNotices", msg("Notices about requests"), REQUEST_EVENTS)],
    },
    {
      title: msg("Fees and fines"),
      fields: [
        notices("feeFineNotices", msg("Notices about fees and fines"), FEE_EVENTS, NOT_BEFORE),
      ],
    },
  ],
};
