/** What a scan means when taking back: an item that has come back, or a card for what follows. */
import { checkIn } from "../../api/endpoints";
import { RefusedError } from "../../api/errors";
import type { CheckInRequest } from "../../api/types";
import { type DeskAnswer, type DeskScan, type ReturnScan, returnOf } from "../desk/scan";
import { isUnknownItem, patronWith } from "../scanning/recognise";

/** A card among the returns is the patron's of the next loans. */
export async function takeBack(scan: ReturnScan): Promise<DeskAnswer> {
  try {
    return { returned: await checkIn(requestOf(scan)) };
  } catch (error) {
    const patron = isUnknownItem(error) ? await patronWith(scan.barcode) : undefined;
    if (!patron) throw error;
    return { patron };
  }
}

/** Returns count from the scan, however long it waited for its turn. */
export function requestOf({
  barcode,
  scannedAt,
  options,
}: Pick<ReturnScan, "barcode" | "scannedAt" | "options">): CheckInRequest {
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
export function returningPatrons(scans: readonly DeskScan[]): string[] {
  const patrons = scans.flatMap((scan) => returnOf(scan)?.loan?.userId ?? []);
  return [...new Set(patrons)];
}
