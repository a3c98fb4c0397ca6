/** What a scan means at the check-in desk: an item that has come back. */
import { checkIn } from "../../api/endpoints";
import { RefusedError } from "../../api/errors";
import type { CheckInAnswer, CheckInRequest, ClaimedReturnedResolution } from "../../api/types";
import { type Scan, ScanQueue } from "../scanning/scanQueue";

export interface CheckInOptions {
  servicePointId: string;
  /** An earlier moment of return; without it the item came back when it was scanned. */
  returnedAt?: string;
  resolution?: ClaimedReturnedResolution;
}

export type CheckInScan = Scan<CheckInAnswer, CheckInOptions>;

export const createCheckInQueue = () =>
  new ScanQueue<CheckInAnswer, CheckInOptions>((scan) => checkIn(requestOf(scan)));

/** The moment of return is the moment of the scan, however long the scan had to wait for its turn. */
export function requestOf({ barcode, scannedAt, options }: CheckInScan): CheckInRequest {
  const { servicePointId, returnedAt, resolution } = options;
  const checkInDate = returnedAt ?? scannedAt.toISOString();
  const request = { itemBarcode: barcode, servicePointId, checkInDate };
  return resolution ? { ...request, claimedReturnedResolution: resolution } : request;
}

/** Whether an item was refused because its patron claims to have returned it. */
export function needsResolution(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false;
  return error.entries.some(({ message }) => /^Item is claimed returned\b/.test(message));
}

/** The patrons whose loans were closed, each once. */
export function returningPatrons(scans: readonly CheckInScan[]): string[] {
  const patrons = scans.flatMap(({ answer }) => answer?.loan?.userId ?? []);
  return [...new Set(patrons)];
}
