/** The slips of checked-in items: one by one from the list of scans, or all at once. */

import type { RefObject } from "react";
import { t } from "../../lib/i18n";
import { type RowAction, useRowShortcut } from "../scanning/rowAction";
import { PRINT_DIGIT } from "../slips/PrintButton";
import type { Slip } from "../slips/slip";
import { useSlipPrinter } from "../slips/useSlipPrinter";
import type { CheckInScan } from "./checkIn";
import { slipOf } from "./slipOf";

export function useReturnSlips(
  scans: readonly CheckInScan[],
  inputRef: RefObject<HTMLInputElement | null>,
) {
  const printer = useSlipPrinter();
  const slipsOf = (scan: CheckInScan): Slip[] => {
    const slip = scan.answer && slipOf(scan.answer);
    return slip && printer.uses(slip.name) ? [slip] : [];
  };
  const print = (slips: Slip[]) => {
    inputRef.current?.focus(); // so that scanning can continue during printing
    void printer.print(slips);
  };
  const action: RowAction<CheckInScan> = {
    label: t("Print slip"),
    digit: PRINT_DIGIT,
    applies: (scan) => slipsOf(scan).length > 0,
    run: (scan) => print(slipsOf(scan)),
  };
  useRowShortcut(scans, action);
  const slips = scans.flatMap(slipsOf);
  return { action, count: slips.length, printAll: () => print(slips), error: printer.error };
}
