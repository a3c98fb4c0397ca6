/** A limit that blocks a patron, and what would end the block, in sentences. */
import type { Explained, PatronExplanation } from "../../api/why";
import { t } from "../../lib/i18n";
import { money } from "../fees/feeColumns";
import type { Currency } from "../fees/money";
import { STOPS } from "../patrons/patron";
import { linkToLimits } from "./links";
import type { Told } from "./telling";

type Limits = PatronExplanation["limits"];
type Limit = Limits[number];
type Action = Limit["stops"][number]["action"];

/** FOLIO's conditions; their ids are fixed (docs/folio/patron-blocks.md#automated-blocks). */
const FEE_BALANCE = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/** What ends a block by each condition that counts items. */
const ENDS: Record<string, (values: { count: number; what: string }) => string> = {
  "3d7c52dc-c732-4223-8bf8-e5917801386f": (values) =>
    t(
      "{count, plural, one {When # item comes back, it no longer stops {what}.} other {When # items come back, it no longer stops {what}.}}",
      values,
    ),
  "72b67965-5b73-4840-bc0b-be8f3f6e047e": (values) =>
    t(
      "{count, plural, one {When # lost item is found or paid, it no longer stops {what}.} other {When # lost items are found or paid, it no longer stops {what}.}}",
      values,
    ),
  "584fbd4f-6a34-4730-a6ca-73a6a6a9d845": (values) =>
    t(
      "{count, plural, one {When # overdue item comes back or is renewed, it no longer stops {what}.} other {When # overdue items come back or are renewed, it no longer stops {what}.}}",
      values,
    ),
  "e5b45031-a202-4abb-917b-e1df9346fe2c": (values) =>
    t(
      "{count, plural, one {When # overdue recalled item comes back, it no longer stops {what}.} other {When # overdue recalled items come back, it no longer stops {what}.}}",
      values,
    ),
  "08530ac4-07f2-48e6-9dda-a97bc2bf7053": (values) =>
    t(
      "{count, plural, one {When # recalled item that is late for longer comes back, it no longer stops {what}.} other {When # recalled items that are late for longer come back, it no longer stops {what}.}}",
      values,
    ),
};

/** What the limit in question stops, in one line. */
export function stoppedIn(limits: Limits): string {
  const stops = limits.flatMap((limit) => limit.stops);
  return stops.length === 0
    ? t("Stops nothing")
    : t("Stops {what}", { what: inWords(stops.map(({ action }) => action)) });
}

export function tellLimits(
  limits: Limits,
  group: Explained["facts"]["patronGroup"],
  currency: Currency,
): Told[] {
  if (limits.length > 0) return limits.flatMap((limit) => tellLimit(limit, currency));
  const name = group?.name ?? "?";
  return [
    {
      text: t("{name} has no such limit, or the patron has no items and owes nothing.", { name }),
      link: linkToLimits(),
    },
  ];
}

function tellLimit(limit: Limit, currency: Currency): Told[] {
  const { condition, has, stops } = limit;
  const figure = (value: number) =>
    condition.id === FEE_BALANCE ? money(value, currency) : String(value);
  const values = {
    name: condition.name ?? condition.id,
    limit: figure(limit.limit),
    has: figure(has),
  };
  const compared = {
    text: t("{name}: the limit of the patron group is {limit}, the patron has {has}.", values),
    link: linkToLimits(),
  };
  if (stops.length === 0) return [compared, { text: t("The limit is not reached.") }];
  return [
    compared,
    ...endsOf(stops).map((end) => ({ text: tellEnd(end, condition.id, currency) })),
  ];
}

interface End {
  less: number | undefined;
  actions: Action[];
}

/** What is stopped, together where the same ends it: borrowing may need one item more to come back. */
function endsOf(stops: Limit["stops"]): End[] {
  const ends: End[] = [];
  for (const { action, less } of stops) {
    const same = ends.find((end) => end.less === less);
    if (same) same.actions.push(action);
    else ends.push({ less, actions: [action] });
  }
  return ends;
}

function tellEnd({ less, actions }: End, condition: string, currency: Currency): string {
  const what = inWords(actions);
  if (less === undefined) {
    return t("A limit of 0 stops {what} for all who have items or owe anything.", { what });
  }
  if (condition === FEE_BALANCE) {
    const amount = money(less, currency);
    return t("When {amount} is paid or waived, it no longer stops {what}.", { amount, what });
  }
  return ENDS[condition]?.({ count: less, what }) ?? "";
}

const inWords = (actions: readonly Action[]) =>
  actions.map((action) => t(STOPS[action])).join(", ");
