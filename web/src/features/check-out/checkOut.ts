/**
 * What a scan means at check-out: the first is the patron's card, the others are items. It is decided when the scan's
 * turn comes, so that a card and the first items can be scanned without waiting.
 */
import { checkOut, findOpenLoan, findUsersByBarcode } from "../../api/endpoints";
import { RefusedError } from "../../api/errors";
import type { CheckOutRequest, Loan, OverrideBlocks, User } from "../../api/types";
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

/** The patron of this session, once the card has been scanned. */
export function patronOf(scans: readonly CheckOutScan[]): User | undefined {
  for (const { answer } of scans) if (answer && "patron" in answer) return answer.patron;
  return undefined;
}

/** The loan that a scan made. */
export function loanOf({ answer }: CheckOutScan): Loan | undefined {
  return answer && "loan" in answer ? answer.loan : undefined;
}

/** One due date receipt per loan, in the order of scanning. */
export function receiptOf(scans: readonly CheckOutScan[]): Slip[] {
  return scans.flatMap((scan) => {
    const loan = loanOf(scan);
    return loan ? [{ name: "Due date receipt" as const, loan }] : [];
  });
}

async function step(scan: CheckOutScan, before: readonly CheckOutScan[]): Promise<CheckOutAnswer> {
  const patron = patronOf(before);
  return patron
    ? { loan: await checkOutItem(scan, patron) }
    : { patron: await findPatron(scan.barcode) };
}

async function findPatron(barcode: string): Promise<User> {
  const [patron] = (await findUsersByBarcode(barcode)).users;
  if (patron) return patron;
  const parameters = [{ key: "userBarcode", value: barcode }];
  const message = "Could not find user with matching barcode";
  throw new RefusedError(422, [{ message, code: "USER_BARCODE_NOT_FOUND", parameters }]);
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
