/** Loan policies (docs/folio/policies.md#loan-policies). */
import { msg } from "../../../lib/i18n";
import type { Choice, Field, Kind } from "../../records/kind";
import { both, DESCRIPTION, is, isNot, NAME, PERIODS } from "./common";

const PROFILES: readonly Choice[] = [
  { id: "Rolling", name: msg("Rolling: a period from the check-out") },
  { id: "Fixed", name: msg("Fixed: dates of a schedule") },
];

/** What happens to a due date on which the library is closed (docs/folio/due-dates.md). */
const CLOSED: readonly Choice[] = [
  { id: "CURRENT_DUE_DATE", name: msg("Keep the due day, at its end") },
  { id: "CURRENT_DUE_DATE_TIME", name: msg("Keep the due date and time") },
  { id: "END_OF_THE_PREVIOUS_OPEN_DAY", name: msg("Move to the end of the previous open day") },
  { id: "END_OF_THE_NEXT_OPEN_DAY", name: msg("Move to the end of the next open day") },
  {
    id: "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
    name: msg("Move to the end of the current opening hours"),
  },
  {
    id: "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
    name: msg("Move to the beginning of the next opening hours"),
  },
];

const RENEW_FROM: readonly Choice[] = [
  { id: "SYSTEM_DATE", name: msg("The day of the renewal") },
  { id: "CURRENT_DUE_DATE", name: msg("The current due date") },
];

const LOANABLE = is("loanable", true);
const ROLLING = is("loansPolicy.profileId", "Rolling");
const FIXED = is("loansPolicy.profileId", "Fixed");
const RENEWABLE = both(LOANABLE, is("renewable", true));
const OTHER_PERIOD = is("renewalsPolicy.differentPeriod", true);

const period = (path: string, label: string): Field => ({
  as: "period",
  path,
  label,
  units: PERIODS,
});

/** What holds and pages change of a loan. */
const requested = (path: string): Field[] => [
  period(`${path}.alternateCheckoutLoanPeriod`, msg("Another loan period at check-out")),
  {
    as: "switch",
    path: `${path}.renewItemsWithRequest`,
    label: msg("Items with such a request may be renewed"),
  },
  {
    ...period(`${path}.alternateRenewalLoanPeriod`, msg("Another loan period at renewal")),
    when: both(is(`${path}.renewItemsWithRequest`, true), ROLLING),
  },
];

export const LOAN_POLICIES: Kind = {
  id: "loan-policies",
  title: msg("Loan policies"),
  one: msg("loan policy"),
  path: "/loan-policy-storage/loan-policies",
  list: "loanPolicies",
  affects: ["loan-policies"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Loanable"), path: "loanable" },
    { label: msg("Loan period"), path: "loansPolicy.period" },
    { label: msg("Renewable"), path: "renewable" },
    { label: msg("Description"), path: "description" },
  ],
  blank: {
    loanable: true,
    renewable: true,
    loansPolicy: { profileId: "Rolling", closedLibraryDueDateManagementId: "CURRENT_DUE_DATE" },
    renewalsPolicy: { renewFromId: "SYSTEM_DATE", unlimited: false, differentPeriod: false },
  },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        DESCRIPTION,
        { as: "switch", path: "loanable", label: msg("Items may be lent"), required: true },
      ],
    },
    {
      title: msg("Loans"),
      when: LOANABLE,
      fields: [
        {
          as: "choice",
          path: "loansPolicy.profileId",
          label: msg("Profile"),
          from: PROFILES,
          required: true,
        },
        { ...period("loansPolicy.period", msg("Loan period")), required: true, when: ROLLING },
        {
          as: "choice",
          path: "loansPolicy.fixedDueDateScheduleId",
          label: msg("Fixed due date schedule"),
          from: "fixed-due-date-schedules",
          required: true,
          when: FIXED,
        },
        {
          as: "choice",
          path: "loansPolicy.fixedDueDateScheduleId",
          label: msg("Schedule that limits the due date"),
          from: "fixed-due-date-schedules",
          when: ROLLING,
        },
        {
          as: "choice",
          path: "loansPolicy.closedLibraryDueDateManagementId",
          label: msg("If the library is closed on the due date"),
          from: CLOSED,
          required: true,
        },
        {
          ...period("loansPolicy.openingTimeOffset", msg("Time after the opening")),
          when: is(
            "loansPolicy.closedLibraryDueDateManagementId",
            "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
          ),
        },
        period("loansPolicy.gracePeriod", msg("Grace period before fines")),
        {
          as: "number",
          path: "loansPolicy.itemLimit",
          label: msg("Limit of items on loan"),
          hint: msg("Leave it empty for no limit."),
          least: 1,
          most: 9999,
        },
        {
          as: "switch",
          path: "loansPolicy.forUseAtLocation",
          label: msg("For use in the library only"),
        },
        {
          ...period(
            "loansPolicy.holdShelfExpiryPeriodForUseAtLocation",
            msg("Time on the hold shelf for use in the library"),
          ),
          when: is("loansPolicy.forUseAtLocation", true),
        },
      ],
    },
    {
      title: msg("Renewals"),
      when: LOANABLE,
      fields: [
        { as: "switch", path: "renewable", label: msg("Loans may be renewed"), required: true },
        {
          as: "switch",
          path: "renewalsPolicy.unlimited",
          label: msg("Any number of times"),
          when: RENEWABLE,
        },
        {
          as: "number",
          path: "renewalsPolicy.numberAllowed",
          label: msg("Number of renewals"),
          least: 0,
          required: true,
          when: both(RENEWABLE, isNot("renewalsPolicy.unlimited", true)),
        },
        {
          as: "choice",
          path: "renewalsPolicy.renewFromId",
          label: msg("Renew from"),
          from: RENEW_FROM,
          required: true,
          when: both(RENEWABLE, ROLLING),
        },
        {
          as: "switch",
          path: "renewalsPolicy.differentPeriod",
          label: msg("Renewals have a period of their own"),
          when: RENEWABLE,
        },
        {
          ...period("renewalsPolicy.period", msg("Period of a renewal")),
          required: true,
          when: both(RENEWABLE, OTHER_PERIOD, ROLLING),
        },
        {
          as: "choice",
          path: "renewalsPolicy.alternateFixedDueDateScheduleId",
          label: msg("Schedule of renewals"),
          from: "fixed-due-date-schedules",
          required: true,
          when: both(RENEWABLE, OTHER_PERIOD, FIXED),
        },
        {
          as: "choice",
          path: "renewalsPolicy.alternateFixedDueDateScheduleId",
          label: msg("Schedule that limits renewals"),
          from: "fixed-due-date-schedules",
          when: both(RENEWABLE, OTHER_PERIOD, ROLLING),
        },
      ],
    },
    {
      title: msg("Recalls"),
      when: LOANABLE,
      fields: [
        period(
          "requestManagement.recalls.recallReturnInterval",
          msg("Time to return a recalled item"),
        ),
        period(
          "requestManagement.recalls.minimumGuaranteedLoanPeriod",
          msg("Loan period that a recall leaves at least"),
        ),
        period(
          "requestManagement.recalls.alternateGracePeriod",
          msg("Grace period of recalled items"),
        ),
        {
          as: "switch",
          path: "requestManagement.recalls.allowRecallsToExtendOverdueLoans",
          label: msg("A recall may give overdue loans more time"),
        },
        {
          ...period(
            "requestManagement.recalls.alternateRecallReturnInterval",
            msg("Time to return a recalled item that is overdue"),
          ),
          when: is("requestManagement.recalls.allowRecallsToExtendOverdueLoans", true),
        },
      ],
    },
    { title: msg("Holds"), when: LOANABLE, fields: requested("requestManagement.holds") },
    { title: msg("Pages"), when: LOANABLE, fields: requested("requestManagement.pages") },
  ],
};
