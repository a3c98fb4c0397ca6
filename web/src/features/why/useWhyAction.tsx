/** "Why?" at the rows of the desk: about the loan that a scan made, the fee of a return, or a refused check-out. */
import { type ReactNode, type RefObject, useState } from "react";
import type { Question } from "../../api/why";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { factsIn } from "../desk/itemFacts";
import { type DeskScan, isLending, loanOf, patronOf, returnOf } from "../desk/scan";
import { type RowAction, useRowShortcuts } from "../scanning/rowAction";
import { WhyAnswer } from "./WhyButton";

interface WhyAction {
  action: RowAction<DeskScan>;
  /** The dialog, while it is open. */
  answer: ReactNode;
}

export function useWhyAction(
  scans: readonly DeskScan[],
  inputRef: RefObject<HTMLInputElement | null>,
): WhyAction {
  const [question, setQuestion] = useState<Question>();
  const action: RowAction<DeskScan> = {
    label: t("Why?"),
    keys: KEYS.why,
    applies: (scan) => questionAbout(scan, scans) !== undefined,
    run: (scan) => {
      inputRef.current?.focus(); // the focus returns here when the dialog closes
      setQuestion(questionAbout(scan, scans));
    },
  };
  useRowShortcuts(scans, [action]);
  const answer = <WhyAnswer question={question} onClose={() => setQuestion(undefined)} />;
  return { action, answer };
}

/** What can be asked about a scan; nothing about a card or a return without fees, or while it waits. */
export function questionAbout(scan: DeskScan, scans: readonly DeskScan[]): Question | undefined {
  const loan = loanOf(scan);
  if (loan) return { about: "loan", id: loan.id };
  const returned = returnOf(scan);
  const fee = factsIn(returned ?? {}).fees?.[0];
  if (returned?.loan && fee) {
    return { about: "fee-of-loan", loanId: returned.loan.id, type: fee.type };
  }
  const patron = patronOf(scans.slice(0, scans.indexOf(scan)));
  if (scan.state !== "refused" || !isLending(scan) || !patron?.barcode) return undefined;
  const { servicePointId, sponsor } = scan.options;
  const lent = { about: "check-out", itemBarcode: scan.barcode, servicePointId } as const;
  return sponsor?.proxyId === patron.id
    ? { ...lent, userBarcode: sponsor.barcode, proxyUserBarcode: patron.barcode }
    : { ...lent, userBarcode: patron.barcode };
}
