/**
 * What a scan means when lending: first the patron's card, then items, then perhaps the card of the next patron. It is
 * decided when the scan's turn comes, so that a card and the first items can be scanned without waiting.
 */
import { checkOut, findOpenLoan } from "../../api/endpoints";
import type { CheckOutRequest, Loan, User } from "../../api/types";
import {
  type DeskAnswer,
  type DeskScan,
  isCard,
  type LendScan,
  openLoanOf,
  patronOf,
  type Sponsor,
} from "../desk/scan";
import { isUnknownItem, notAPatron, patronWith } from "../scanning/recognise";
import type { Slip } from "../slips/slip";

/** One due date receipt per loan of the last patron, in the order of scanning. */
export function receiptOf(scans: readonly DeskScan[]): Slip[] {
  return scans.slice(scans.findLastIndex(isCard) + 1).flatMap((scan) => {
    const loan = openLoanOf(scan, scans);
    return loan ? [{ name: "Due date receipt" as const, loan }] : [];
  });
}

export async function lend(scan: LendScan, before: readonly DeskScan[]): Promise<DeskAnswer> {
  const patron = patronOf(before);
  return patron ? lendOrChangePatron(scan, patron) : findPatron(scan.barcode);
}

async function lendOrChangePatron(scan: LendScan, patron: User): Promise<DeskAnswer> {
  try {
    return { loan: await checkOutItem(scan, patron) };
  } catch (error) {
    const next = isUnknownItem(error) ? await patronWith(scan.barcode) : undefined;
    if (!next) throw error;
    return { patron: next };
  }
}

async function findPatron(barcode: string): Promise<DeskAnswer> {
  const patron = await patronWith(barcode);
  if (!patron) throw await notAPatron(barcode);
  return { patron };
}

async function checkOutItem(scan: LendScan, patron: User): Promise<Loan> {
  const sponsor = sponsorFor(scan, patron);
  const made = scan.inDoubt ? await findOpenLoan(scan.barcode) : undefined;
  const borrower = sponsor?.id ?? patron.id;
  return made?.userId === borrower ? made : checkOut(requestOf(scan, patron, sponsor));
}

/** The sponsor was chosen for the patron on the screen; by the scan's turn, that may be another one. */
function sponsorFor({ options }: LendScan, patron: User): Sponsor | undefined {
  return options.sponsor?.proxyId === patron.id ? options.sponsor : undefined;
}

function requestOf(
  { barcode, options }: LendScan,
  patron: User,
  sponsor: Sponsor | undefined,
): CheckOutRequest {
  const { servicePointId, override } = options;
  const card = patron.barcode ?? "";
  return {
    itemBarcode: barcode,
    ...(sponsor ? { userBarcode: sponsor.barcode, proxyUserBarcode: card } : { userBarcode: card }),
    servicePointId,
    ...(override && { overrideBlocks: override }),
  };
}
