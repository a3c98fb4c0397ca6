/**
 * Changes of many loans, one call each: in order, kept while the connection or the session is away, each with its own
 * outcome. It is the scan queue of the desk, filled by selecting instead of scanning.
 */
import {
  changeDueDate,
  claimReturned,
  declareLost,
  declareMissing,
  getLoan,
  type RenewalOverride,
  renew,
} from "../../api/loans";
import type { Loan } from "../../api/types";
import { type Scan, ScanQueue } from "../scanning/scanQueue";

export type LoanChange =
  | { action: "renew"; override?: RenewalOverride }
  | { action: "dueDate"; dueDate: string }
  | { action: "claim"; at: string; comment: string }
  | { action: "lost"; at: string; comment: string }
  | { action: "missing"; comment: string };

export interface LoanTask {
  loan: Loan;
  change: LoanChange;
  servicePointId: string;
}

/** The loan after its change. */
export type LoanOutcome = Loan;

export type LoanScan = Scan<LoanOutcome, LoanTask>;

export type LoanRun = ScanQueue<LoanOutcome, LoanTask>;

export const createLoanRun = (): LoanRun => new ScanQueue<LoanOutcome, LoanTask>(step);

export function addToRun(run: LoanRun, tasks: readonly LoanTask[], now: Date): void {
  for (const task of tasks) run.add(task.loan.item?.barcode ?? task.loan.id, now, task);
}

async function step({ options, inDoubt }: LoanScan): Promise<LoanOutcome> {
  const { loan, change } = options;
  if (inDoubt) {
    const now = await getLoan(loan.id);
    if (isMade(change, loan, now)) return now;
  }
  const renewed = await send(options);
  return renewed ?? getLoan(loan.id);
}

/** The change for which no answer came has been made; it must not be made twice. */
export function isMade(change: LoanChange, before: Loan, now: Loan): boolean {
  switch (change.action) {
    case "renew":
      return (now.renewalCount ?? 0) > (before.renewalCount ?? 0);
    case "dueDate":
      return sameInstant(now.dueDate, change.dueDate);
    case "claim":
      return now.item?.status?.name === "Claimed returned";
    case "lost":
      return now.declaredLostDate !== undefined && now.declaredLostDate !== before.declaredLostDate;
    case "missing":
      return now.status?.name === "Closed";
  }
}

/** The loan, if the answer has it. */
async function send({ loan, change, servicePointId }: LoanTask): Promise<Loan | undefined> {
  switch (change.action) {
    case "renew":
      return renew(renewalOf(loan, servicePointId, change.override));
    case "dueDate":
      await changeDueDate(loan.id, change.dueDate);
      return undefined;
    case "claim":
      await claimReturned(loan.id, {
        itemClaimedReturnedDateTime: change.at,
        comment: change.comment,
      });
      return undefined;
    case "lost":
      await declareLost(loan.id, {
        servicePointId,
        declaredLostDateTime: change.at,
        comment: change.comment,
      });
      return undefined;
    case "missing":
      await declareMissing(loan.id, change.comment);
      return undefined;
  }
}

function renewalOf(loan: Loan, servicePointId: string, overrideBlocks?: RenewalOverride) {
  const renewal = { itemId: loan.itemId, userId: loan.userId ?? "", servicePointId };
  return overrideBlocks ? { ...renewal, overrideBlocks } : renewal;
}

function sameInstant(one: string | undefined, other: string): boolean {
  return one !== undefined && Date.parse(one) === Date.parse(other);
}
