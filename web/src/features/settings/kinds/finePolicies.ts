/** Overdue fine and lost item policies (docs/folio/policies.md). */
import { msg } from "../../../lib/i18n";
import type { Choice, Field, Kind } from "../../records/kind";
import { DESCRIPTION, is, LONG_PERIODS, NAME, RATES } from "./common";

const money = (path: string, label: string, hint?: string): Field => ({
  as: "number",
  path,
  label,
  least: 0,
  decimals: 2,
  ...(hint && { hint }),
});

const ZERO_IS_NO_LIMIT = msg("0 is no limit; without an amount there is no fine.");

export const OVERDUE_POLICIES: Kind = {
  id: "overdue-fine-policies",
  title: msg("Overdue fine policies"),
  one: msg("overdue fine policy"),
  path: "/overdue-fines-policies",
  list: "overdueFinePolicies",
  affects: ["overdue-policies"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Fine"), path: "overdueFine" },
    { label: msg("Most"), path: "maxOverdueFine" },
    { label: msg("Description"), path: "description" },
  ],
  blank: { countClosed: true, forgiveOverdueFine: false, gracePeriodRecall: true },
  sections: [
    { title: msg("About"), fields: [NAME, DESCRIPTION] },
    {
      title: msg("Overdue fine"),
      fields: [
        { as: "rate", path: "overdueFine", label: msg("Fine"), units: RATES },
        money("maxOverdueFine", msg("Highest fine"), ZERO_IS_NO_LIMIT),
        {
          as: "switch",
          path: "countClosed",
          label: msg("Hours in which the library is closed count"),
        },
        { as: "switch", path: "forgiveOverdueFine", label: msg("No fine if the item is renewed") },
      ],
    },
    {
      title: msg("After a recall"),
      fields: [
        { as: "rate", path: "overdueRecallFine", label: msg("Fine after a recall"), units: RATES },
        money("maxOverdueRecallFine", msg("Highest fine after a recall"), ZERO_IS_NO_LIMIT),
        {
          as: "switch",
          path: "gracePeriodRecall",
          label: msg("No grace period after a recall"),
        },
      ],
    },
    {
      title: msg("Reminders with a fee"),
      fields: [
        {
          as: "rows",
          path: "reminderFeesPolicy.reminderSchedule",
          label: msg("Reminders"),
          one: msg("reminder"),
          blank: { timeUnitId: "week", noticeFormat: "Email" },
          fields: [
            { as: "number", path: "interval", label: msg("After"), least: 1, required: true },
            { as: "choice", path: "timeUnitId", label: msg("Unit"), from: RATES, required: true },
            { ...money("reminderFee", msg("Fee")), required: true },
            {
              as: "choice",
              path: "noticeTemplateId",
              label: msg("Template"),
              from: "notice-templates",
              required: true,
            },
          ],
        },
        {
          as: "switch",
          path: "reminderFeesPolicy.countClosed",
          label: msg("Reminders are also sent on days on which the library is closed"),
        },
        {
          as: "switch",
          path: "reminderFeesPolicy.ignoreGracePeriodRecall",
          label: msg("No grace period for recalled items"),
        },
        {
          as: "switch",
          path: "reminderFeesPolicy.ignoreGracePeriodHolds",
          label: msg("No grace period for items with holds"),
        },
        {
          as: "switch",
          path: "reminderFeesPolicy.allowRenewalOfItemsWithReminderFees",
          label: msg("Items with such a fee may be renewed"),
        },
        {
          as: "switch",
          path: "reminderFeesPolicy.clearPatronBlockWhenPaid",
          label: msg("Paying lifts the block"),
        },
      ],
    },
  ],
};

const COSTS: readonly Choice[] = [
  { id: "actualCost", name: msg("The actual cost, decided each time") },
  { id: "anotherCost", name: msg("A set amount") },
];

const AFTER_RETURN: readonly Choice[] = [
  { id: "Charge", name: msg("Are charged") },
  { id: "Remove", name: msg("Are not charged") },
];

const period = (path: string, label: string, hint?: string): Field => ({
  as: "period",
  path,
  label,
  units: LONG_PERIODS,
  ...(hint && { hint }),
});

export const LOST_ITEM_POLICIES: Kind = {
  id: "lost-item-policies",
  title: msg("Lost item policies"),
  one: msg("lost item policy"),
  path: "/lost-item-fees-policies",
  list: "lostItemFeePolicies",
  affects: ["lost-item-policies"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Lost after"), path: "itemAgedLostOverdue" },
    { label: msg("Charge"), path: "chargeAmountItem.chargeType" },
    { label: msg("Amount"), path: "chargeAmountItem.amount" },
    { label: msg("Description"), path: "description" },
  ],
  blank: {
    chargeAmountItem: { chargeType: "anotherCost", amount: 0 },
    lostItemProcessingFee: 0,
    chargeAmountItemPatron: false,
    chargeAmountItemSystem: false,
    returnedLostItemProcessingFee: false,
    replacedLostItemProcessingFee: false,
    replacementProcessingFee: 0,
    replacementAllowed: false,
    lostItemReturned: "Charge",
  },
  sections: [
    { title: msg("About"), fields: [NAME, DESCRIPTION] },
    {
      title: msg("When an item counts as lost"),
      fields: [
        period(
          "itemAgedLostOverdue",
          msg("Overdue items are lost after"),
          msg("Leave it empty for never."),
        ),
        period("patronBilledAfterAgedLost", msg("The patron is billed after a further")),
        period("recalledItemAgedLostOverdue", msg("Recalled items are lost after")),
        period(
          "patronBilledAfterRecalledItemAgedLost",
          msg("For recalled items, the patron is billed after a further"),
        ),
      ],
    },
    {
      title: msg("What it costs"),
      fields: [
        {
          as: "choice",
          path: "chargeAmountItem.chargeType",
          label: msg("Charge for the item"),
          from: COSTS,
          required: true,
        },
        {
          ...money("chargeAmountItem.amount", msg("Amount for the item")),
          when: is("chargeAmountItem.chargeType", "anotherCost"),
        },
        period("lostItemChargeFeeFine", msg("The actual cost can be decided for")),
        money("lostItemProcessingFee", msg("Processing fee")),
        {
          as: "switch",
          path: "chargeAmountItemPatron",
          label: msg("Processing fee if a patron declares the item lost"),
        },
        {
          as: "switch",
          path: "chargeAmountItemSystem",
          label: msg("Processing fee if the item ages to lost"),
        },
      ],
    },
    {
      title: msg("When the item comes back"),
      fields: [
        {
          as: "switch",
          path: "returnedLostItemProcessingFee",
          label: msg("The processing fee is given back"),
        },
        period(
          "feesFinesShallRefunded",
          msg("Fees are given back within"),
          msg("Leave it empty for always."),
        ),
        {
          as: "choice",
          path: "lostItemReturned",
          label: msg("Overdue fines until the return"),
          from: AFTER_RETURN,
        },
      ],
    },
  ],
};
