/** What is scanned at the desk: cards of patrons, items to lend, items that come back; one list, in order. */
import type {
  CheckInAnswer,
  ClaimedReturnedResolution,
  Loan,
  OverrideBlocks,
  User,
} from "../../api/types";
import type { Scan } from "../scanning/scanQueue";

/** What an item that is scanned is scanned for. */
export type Mode = "lend" | "return";

/** For whom a proxy borrows. */
export interface Sponsor {
  id: string;
  barcode: string;
  name: string;
  /** The patron who may borrow for the sponsor. */
  proxyId: string;
}

export interface LendOptions {
  mode: "lend";
  servicePointId: string;
  override?: OverrideBlocks;
  sponsor?: Sponsor;
}

export interface ReturnOptions {
  mode: "return";
  servicePointId: string;
  /** The return date if backdated; otherwise the moment of the scan. */
  returnedAt?: string;
  resolution?: ClaimedReturnedResolution;
}

/** A scan keeps what it was scanned for, even if its turn comes after the desk has changed to something else. */
export type DeskOptions = LendOptions | ReturnOptions;

export type DeskAnswer = { patron: User } | { loan: Loan } | { returned: CheckInAnswer };

export type DeskScan = Scan<DeskAnswer, DeskOptions>;

export type LendScan = Scan<DeskAnswer, LendOptions>;
export type ReturnScan = Scan<DeskAnswer, ReturnOptions>;

export const isLending = (scan: DeskScan): scan is LendScan => scan.options.mode === "lend";

/** The patron whose card was scanned last. */
export function patronOf(scans: readonly DeskScan[]): User | undefined {
  const { answer } = scans.findLast(isCard) ?? {};
  return answer && "patron" in answer ? answer.patron : undefined;
}

/** Whether a scan was a patron's card. */
export function isCard({ answer }: Pick<DeskScan, "answer">): boolean {
  return answer !== undefined && "patron" in answer;
}

/** The loan that a scan made. */
export function loanOf({ answer }: Pick<DeskScan, "answer">): Loan | undefined {
  return answer && "loan" in answer ? answer.loan : undefined;
}

/** The loan that a scan made, unless the item has come back since. */
export function openLoanOf(scan: DeskScan, scans: readonly DeskScan[]): Loan | undefined {
  const loan = loanOf(scan);
  if (!loan) return undefined;
  return scans.some((other) => returnOf(other)?.loan?.id === loan.id) ? undefined : loan;
}

/** The return that a scan made. */
export function returnOf({ answer }: Pick<DeskScan, "answer">): CheckInAnswer | undefined {
  return answer && "returned" in answer ? answer.returned : undefined;
}
