/** What was decided, in one line. */
import type { Explained } from "../../api/why";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { money } from "../fees/feeColumns";
import { stoppedIn } from "./limits";
import type { View } from "./telling";

export function outcomeOf(explained: Explained, isTried: boolean, view: View): string {
  const what = decided(explained, isTried, view);
  return isTried ? t("What if: {what}", { what }) : what;
}

function decided(explained: Explained, isTried: boolean, { clock, currency }: View): string {
  const { loan, fee, limits, refusals, dueDate } = explained;
  if (limits) return stoppedIn(limits);
  if (fee) {
    const amount = isTried ? fee.computed : fee.charged;
    return amount === undefined ? t("No fine") : money(amount, currency);
  }
  const due = isTried || !loan ? dueDate : loan.dueDate;
  if (due) return t("Due {date}", { date: formatDateTime(due, clock) });
  if (refusals.length === 0) return t("Nothing refuses it");
  const isDone = refusals.every(({ because }) => because?.recorded);
  return isDone ? t("Checked in all the same") : t("Refused");
}
