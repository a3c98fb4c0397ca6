/** What goes with the patron at the desk: the end of the session before, and fresh figures after each loan. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { User } from "../../api/types";
import { deskKeys } from "../patrons/queries";
import { isPending } from "../scanning/scanQueue";
import { type DeskScan, loanOf, returnOf } from "./scan";
import { tellSessionsEnd } from "./sessionEnd";

/** The card of the next patron ends the session of the one before. */
export function useEndOfEarlierPatron(patronId: string | undefined): void {
  const earlier = useRef(patronId);
  useEffect(() => {
    if (patronId && earlier.current && earlier.current !== patronId) {
      void tellSessionsEnd(earlier.current);
    }
    earlier.current = patronId;
  }, [patronId]);
}

/** Reads again what loans and returns change of the patron, once the queue is empty. */
export function useFreshPatron(patron: User | undefined, scans: readonly DeskScan[]): void {
  const client = useQueryClient();
  const userId = patron?.id;
  const made = patron ? scans.filter((scan) => isAbout(scan, patron)).length : 0;
  const isIdle = !scans.some(isPending);
  useEffect(() => {
    if (!userId || made === 0 || !isIdle) return;
    for (const queryKey of deskKeys(userId)) void client.invalidateQueries({ queryKey });
  }, [client, userId, made, isIdle]);
}

/** Whether the scan lent something, took back a loan of the patron's, or put something on the hold shelf for them. */
function isAbout(scan: DeskScan, { id, barcode }: User): boolean {
  if (loanOf(scan)) return true;
  const { loan, staffSlipContext } = returnOf(scan) ?? {};
  const requester = staffSlipContext?.requester?.barcode;
  return loan?.userId === id || (requester !== undefined && requester === barcode);
}
