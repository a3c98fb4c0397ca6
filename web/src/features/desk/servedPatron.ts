/** What goes with the patron at the desk: the end of the session before, and fresh figures after each loan. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
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

/** Reads again what loans and returns change, once the queue is empty. */
export function useFreshPatron(userId: string | undefined, scans: readonly DeskScan[]): void {
  const client = useQueryClient();
  const made = scans.filter((scan) => loanOf(scan) ?? returnOf(scan)?.loan).length;
  const isIdle = !scans.some(isPending);
  useEffect(() => {
    if (!userId || made === 0 || !isIdle) return;
    for (const queryKey of deskKeys(userId)) void client.invalidateQueries({ queryKey });
  }, [client, userId, made, isIdle]);
}
