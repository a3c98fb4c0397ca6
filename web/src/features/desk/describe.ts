/** How a scan reads at the desk, whatever was scanned. */
import type { User } from "../../api/types";
import type { Clock } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { needsResolution } from "../check-in/checkIn";
import { describeCheckIn } from "../check-in/describe";
import { describeLoan } from "../check-out/describe";
import { overridableBlocks } from "../check-out/override";
import { nameOf } from "../patrons/patron";
import type { Reader, Result } from "../scanning/result";
import type { DeskAnswer } from "./scan";

/** `currency` is the library's, ISO 4217. */
export const deskReader = (clock: Clock, currency: string): Reader<DeskAnswer> => ({
  describe: (answer) => {
    if ("loan" in answer) return describeLoan(answer.loan, clock);
    if ("returned" in answer) return describeCheckIn(answer.returned, clock, currency);
    return describePatron(answer.patron);
  },
  canDecide: (error) => overridableBlocks(error).length > 0 || needsResolution(error),
});

function describePatron(patron: User): Result {
  return {
    title: nameOf(patron),
    outcome: t("A patron's card"),
    kind: "patron",
    notes: [t("What is lent now is for this patron.")],
  };
}
