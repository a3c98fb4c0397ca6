/** An explanation in sentences, each with a link to what it speaks of. */
import type { Explained } from "../../api/why";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import type { Currency } from "../fees/money";
import { tellDate } from "./dates";
import { tellFine } from "./fines";
import { tellLimits } from "./limits";
import { linkToPolicy, type Policy, type ToldLink } from "./links";
import { tellRefusal } from "./refusals";

export interface Told {
  text: string;
  /** A line of the circulation rules, with names. */
  rule?: string;
  link?: ToldLink;
}

/** How dates and money are written. */
export interface View {
  clock: Clock;
  currency: Currency;
}

export function tell(explained: Explained, isTried: boolean, view: View): Told[] {
  const { loan, fee, limits, rules, dates, refusals, fine } = explained;
  const told: Told[] = [];
  if (fee) told.push(...tellFee(fee));
  if (loan && !isTried) told.push(...tellOrigin(loan, explained, view.clock));
  told.push(...rules.filter(decides(explained)).map(tellRule));
  told.push(...dates.map((date) => tellDate(date, view.clock)));
  if (fine) told.push(...tellFine(fine, view));
  if (limits) told.push(...tellLimits(limits, explained.facts.patronGroup, view.currency));
  told.push(...refusals.flatMap((refusal) => tellRefusal(refusal, view.clock)));
  if (!isTried) told.push(...tellDifference(explained, view));
  return told;
}

/** Of the rules that were asked, those that the answer depends on, each line once. */
function decides({ fee, rules }: Explained) {
  const wanted = fee ? ["overdueFine", "loan"] : ["loan", "request"];
  return (rule: Rule, n: number) =>
    wanted.includes(rule.policy.kind) &&
    rules.findIndex(({ policy }) => policy.id === rule.policy.id) === n;
}

type Rule = Explained["rules"][number];

function tellRule({ line, isFallback, readable, heads, policy }: Rule): Told {
  const values = { line, policy: policy.name ?? policy.id };
  const link = {
    to: `/settings/circulation-rules?line=${line}`,
    label: t("Open line {line} of the rules", { line }),
  };
  const rule = [...heads, readable].map((text) => text.split(":")[0]).join(" + ");
  return isFallback
    ? {
        text: t("No other line of the circulation rules fits; the fallback is {policy}.", values),
        link,
      }
    : { text: t("Line {line} of the circulation rules chooses {policy}:", values), rule, link };
}

type Loan = NonNullable<Explained["loan"]>;

function tellOrigin(loan: Loan, { dueDate }: Explained, clock: Clock): Told[] {
  const when = loan.setAt ? formatDateTime(loan.setAt, clock) : "?";
  const values = { when, by: loan.by ?? t("somebody") };
  const told: Told[] = [{ text: ORIGINS[loan.setBy](values) }];
  if (loan.setBy === "staff" && loan.comment) {
    told.push({ text: t("Comment: {comment}", { comment: loan.comment }) });
  }
  if (loan.setBy === "staff" && dueDate) {
    const due = formatDateTime(dueDate, clock);
    told.push({ text: t("By the rules, the check-out gives {due}:", { due }) });
  }
  return told;
}

type Origin = { when: string; by: string };

const ORIGINS: Record<Loan["setBy"], (values: Origin) => string> = {
  checkOut: (values) => t("The check-out set this date, on {when}.", { ...values }),
  renewal: (values) => t("A renewal set this date, on {when}.", { ...values }),
  recall: (values) => t("A recall set this date, on {when}.", { ...values }),
  staff: (values) => t("{by} set this date by hand, on {when}.", { ...values }),
};

/** What changed since: the rules of now give another date, policy or amount than was decided. */
function tellDifference({ loan, fee, dueDate, rules }: Explained, { clock }: View): Told[] {
  const told: Told[] = [];
  if (loan && !loan.agrees && loan.setBy !== "staff" && dueDate) {
    const due = formatDateTime(dueDate, clock);
    told.push({
      text: t(
        "The rules, policies and calendars of today give {due}; something was changed since, or somebody overrode the policy.",
        { due },
      ),
    });
  }
  const now = rules.find(({ policy }) => policy.kind === "loan")?.policy;
  if (loan?.policy && now && now.id !== loan.policy.id) {
    const name = loan.policy.name ?? loan.policy.id;
    told.push({
      text: t("The loan itself still has the policy {name}.", { name }),
      ...withPolicy(loan.policy),
    });
  }
  if (fee?.kind === "overdueFine" && !fee.agrees) {
    told.push({
      text: t("The rules and policies of today give another amount; something was changed since."),
    });
  }
  return told;
}

type Fee = NonNullable<Explained["fee"]>;

function tellFee({ kind, policy }: Fee): Told[] {
  const name = policy?.name ?? policy?.id ?? "?";
  switch (kind) {
    case "overdueFine":
      return [];
    case "byHand":
      return [{ text: t("Staff charged this fee by hand.") }];
    case "reminder":
      return [{ text: t("A reminder charged it, by {name}.", { name }), ...withPolicy(policy) }];
    case "lostItem":
      return [{ text: t("A lost item charged it, by {name}.", { name }), ...withPolicy(policy) }];
  }
}

const withPolicy = (policy: Policy | undefined) => (policy ? { link: linkToPolicy(policy) } : {});
