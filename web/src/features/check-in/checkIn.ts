/** What a scan means at check-in: an item that has come back. */
import { checkIn } from "../../api/endpoints";
import { RefusedError } from "../../api/errors";
import type { CheckInAnswer, CheckInRequest, ClaimedReturnedResolution } from "../../api/types";
import { isUnknownItem, patronAtCheckIn, patronWith } from "../scanning/recognise";
import { type Scan, ScanQueue } from "../scanning/scanQueue";

export interface CheckInOptions {
  servicePointId: string;
  /** The return date if backdated; otherwise the moment of the scan. */
  returnedAt?: string;
  resolution?: ClaimedReturnedResolution;
}

export type CheckInScan = Scan<CheckInAnswer, CheckInOptions>;

export const createCheckInQueue = () => new ScanQueue<CheckInAnswer, CheckInOptions>(step);

async function step(scan: CheckInScan): Promise<CheckInAnswer> {
  try {
    return await checkIn(requestOf(scan));
  } catch (error) {
    const patron = isUnknownItem(error) ? await patronWith(scan.barcode) : undefined;
    throw patron ? patronAtCheckIn(patron) : error;
  }
}

/** Returns count from the scan, however long it waited for its turn. */
export function requestOf({ barcode, scannedAt, options }: CheckInScan): CheckInRequest {
  const { servicePointId, returnedAt, resolution } = options;
  const checkInDate = returnedAt ?? scannedAt.toISOString();
  const request = { itemBarcode: barcode, servicePointId, checkInDate };
  return resolution ? { ...request, claimedReturnedResolution: resolution } : request;
}

/** Whether an item was refused because it is claimed returned. */
export function needsResolution(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false;
  return error.entries.some(({ message }) => /^Item is claimed returned\b/.test(message));
}

/** The patrons whose loans were closed, without duplicates. */
export function returningPatrons(scans: readonly CheckInScan[]): string[] {
  const patrons = scans.flatMap(({ answer }) => answer?.loan?.userId ?? []);
  return [...new Set(patrons)];
}
