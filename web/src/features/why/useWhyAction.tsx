/** "Why?" at the rows of the desk: about the loan that a scan made, each fee of a return, or what was refused. */
import { type ReactNode, type RefObject, useState } from "react";
import { RefusedError } from "../../api/errors";
import type { CheckInAnswer } from "../../api/types";
import type { Question } from "../../api/why";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { requestOf } from "../check-in/checkIn";
import { factsIn } from "../desk/itemFacts";
import { type DeskScan, isLending, type LendScan, loanOf, patronOf, returnOf } from "../desk/scan";
import { isUnknownItem } from "../scanning/recognise";
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
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const action: RowAction<DeskScan> = {
    label: t("Why?"),
    keys: KEYS.why,
    applies: (scan) => questionsAbout(scan, scans).length > 0,
    run: (scan) => {
      inputRef.current?.focus(); // the focus returns here when the dialog closes
      setQuestions(questionsAbout(scan, scans));
    },
  };
  useRowShortcuts(scans, [action]);
  const answer = <WhyAnswer questions={questions} onClose={() => setQuestions([])} />;
  return { action, answer };
}

/** What can be asked about a scan; nothing about a card or a return without fees, or while it waits. */
export function questionsAbout(scan: DeskScan, scans: readonly DeskScan[]): Question[] {
  const loan = loanOf(scan);
  if (loan) return [{ about: "loan", id: loan.id }];
  const returned = returnOf(scan);
  if (returned) return [...doubtsAbout(scan, returned), ...feesOf(returned)];
  if (scan.state !== "refused") return [];
  return isLending(scan) ? refusedLoan(scan, scans) : refusedReturn(scan);
}

/** An item can be taken back although what was known of it does not fit. */
function doubtsAbout(
  { barcode, scannedAt, options }: DeskScan,
  returned: CheckInAnswer,
): Question[] {
  if (options.mode !== "return" || !factsIn(returned).refusal) return [];
  return [{ about: "check-in", ...requestOf({ barcode, scannedAt, options }) }];
}

function feesOf(returned: CheckInAnswer): Question[] {
  const { loan } = returned;
  if (!loan) return [];
  const fees = factsIn(returned).fees ?? [];
  return fees.map(({ type }) => ({ about: "fee-of-loan", loanId: loan.id, type }));
}

function refusedLoan(scan: LendScan, scans: readonly DeskScan[]): Question[] {
  const patron = patronOf(scans.slice(0, scans.indexOf(scan)));
  if (!patron?.barcode) return [];
  const { servicePointId, sponsor } = scan.options;
  const lent = { about: "check-out", itemBarcode: scan.barcode, servicePointId } as const;
  return sponsor?.proxyId === patron.id
    ? [{ ...lent, userBarcode: sponsor.barcode, proxyUserBarcode: patron.barcode }]
    : [{ ...lent, userBarcode: patron.barcode }];
}

/** No decision of the library is behind an unknown barcode or a missing permission (docs/decisions/0070). */
function refusedReturn({ barcode, scannedAt, options, error }: DeskScan): Question[] {
  if (options.mode !== "return" || isUnknownItem(error)) return [];
  if (!(error instanceof RefusedError) || error.status !== 422) return [];
  return [{ about: "check-in", ...requestOf({ barcode, scannedAt, options }) }];
}
