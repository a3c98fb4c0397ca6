/** What came of a change, as it is shown and announced. */
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import type { LoanScan } from "./loanRun";

export function describeChange({ state, options, answer }: LoanScan, clock: Clock): string {
  if (state === "waiting") return t("Waiting");
  if (state === "working" || !answer) return t("Working…");
  const due = answer.dueDate ? formatDateTime(answer.dueDate, clock) : "";
  switch (options.change.action) {
    case "renew":
      return t("Renewed, due {due}", { due });
    case "dueDate":
      return t("Due {due}", { due });
    case "claim":
      return t("Claimed returned");
    case "lost":
      return answer.status?.name === "Closed"
        ? t("Declared lost; nothing was charged, so the loan is closed")
        : t("Declared lost");
    case "missing":
      return t("Missing; the loan is closed");
  }
}

export function spokenChange(scan: LoanScan, clock: Clock): string | undefined {
  const title = scan.options.loan.item?.title ?? scan.barcode;
  if (scan.state === "refused") return `${t("Refused:")} ${title}. ${inWords(scan.error)}`;
  return scan.state === "answered" ? `${title}. ${describeChange(scan, clock)}` : undefined;
}
