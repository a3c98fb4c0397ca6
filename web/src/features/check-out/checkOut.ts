/**
 * What a scan means at check-out: first the patron's card, then items, then perhaps the card of the next patron. It is
 * decided when the scan's turn comes, so that a card and the first items can be scanned without waiting.
 */
import { checkOut, findOpenLoan } from "../../api/endpoints";
import type { CheckOutRequest, Loan, OverrideBlocks, User } from "../../api/types";
import { isUnknownItem, notAPatron, patronWith } from "../scanning/recognise";
import type { Scan } from "../scanning/scanQueue";
import { ScanQueue } from "../scanning/scanQueue";
import type { Slip } from "../slips/slip";

export type CheckOutAnswer = { patron: User } | { loan: Loan };

export interface CheckOutOptions {
  servicePointId: string;
  override?: OverrideBlocks;
}

export type CheckOutScan = Scan<CheckOutAnswer, CheckOutOptions>;

export const createCheckOutQueue = () => new ScanQueue<CheckOutAnswer, CheckOutOptions>(step);

/** The patron whose card was scanned last. */
export function patronOf(scans: readonly CheckOutScan[]): User | undefined {
  const { answer } = scans.findLast(isCard) ?? {};
  return answer && "patron" in answer ? answer.patron : undefined;
}

/** Whether a scan was a patron's card. */
export function isCard({ answer }: CheckOutScan): boolean {
  return answer !== undefined && "patron" in answer;
}

/** The loan that a scan made. */
export function loanOf({ answer }: CheckOutScan): Loan | undefined {
  return answer && "loan" in answer ? answer.loan : undefined;
}

/** One due date receipt per loan of the last patron, in the order of scanning. */
export function receiptOf(scans: readonly CheckOutScan[]): Slip[] {
  return scans.slice(scans.findLastIndex(isCard) + 1).flatMap((scan) => {
    const loan = loanOf(scan);
    return loan ? [{ name: "Due date receipt" as const, loan }] : [];
  });
}

async function step(scan: CheckOutScan, before: readonly CheckOutScan[]): Promise<CheckOutAnswer> {
  const patron = patronOf(before);
  return patron ? lendOrChangePatron(scan, patron) : findPatron(scan.barcode);
}

async function lendOrChangePatron(scan: CheckOutScan, patron: User): Promise<CheckOutAnswer> {
  try {
    return { loan: await checkOutItem(scan, patron) };
  } catch (error) {
    const next = isUnknownItem(error) ? await patronWith(scan.barcode) : undefined;
    if (!next) throw error;
    return { patron: next };
  }
}

async function findPatron(barcode: string): Promise<CheckOutAnswer> {
  const patron = await patronWith(barcode);
  if (!patron) throw await notAPatron(barcode);
  return { patron };
}

async function checkOutItem(scan: CheckOutScan, patron: User): Promise<Loan> {
  const made = scan.inDoubt ? await findOpenLoan(scan.barcode) : undefined;
  return made?.userId === patron.id ? made : checkOut(requestOf(scan, patron));
}

function requestOf({ barcode, options }: CheckOutScan, patron: User): CheckOutRequest {
  const { servicePointId, override } = options;
  const request = { itemBarcode: barcode, userBarcode: patron.barcode ?? "", servicePointId };
  return override ? { ...request, overrideBlocks: override } : request;
}
