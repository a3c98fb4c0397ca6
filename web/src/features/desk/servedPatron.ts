/** What goes with the patron at the desk: the end of the session before, and fresh figures after each loan. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Request } from "../../api/requests";
import type { AutomatedBlock, User } from "../../api/types";
import { deskKeys, type StoredBlocks } from "../patrons/queries";
import { isPending } from "../scanning/scanQueue";
import { factsIn } from "./itemFacts";
import { type DeskScan, loanOf, returnOf } from "./scan";
import { tellSessionsEnd } from "./sessionEnd";
import { useNewlyAnswered } from "./useNewlyAnswered";

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

/**
 * Keeps the patron's figures fresh. Answers to scans have most of what changes; what no answer has, or what was being read
 * at that moment, is read again once the queue is empty.
 */
export function useFreshPatron(patron: User | undefined, scans: readonly DeskScan[]): void {
  const client = useQueryClient();
  const stale = useRef(new Map<string, Key>());
  const isIdle = !scans.some(isPending);
  useNewlyAnswered(scans, (scan) => {
    if (!patron) return;
    for (const key of staleAfter(client, patron, scan)) stale.current.set(key.join(), key);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer may have made something stale
  useEffect(() => {
    if (!isIdle) return;
    for (const queryKey of stale.current.values()) void client.invalidateQueries({ queryKey });
    stale.current.clear();
  }, [client, scans, isIdle]);
}

type Key = readonly string[];

/** Puts into the cache what the answer says of the patron; returns what is to be read again. */
function staleAfter(client: QueryClient, patron: User, scan: DeskScan): Key[] {
  const { openLoans, blocks, fees, ready } = deskKeys(patron.id);
  const lent = loanOf(scan);
  const returned = returnOf(scan);
  if (lent?.userId === patron.id) {
    const told = factsIn(lent).patron;
    if (!told) return [openLoans, blocks, ready];
    client.setQueriesData<Request[]>({ queryKey: ready }, (waiting) =>
      waiting?.filter(({ itemId }) => itemId !== lent.itemId),
    );
    return [
      ...put<number>(client, openLoans, () => told.openLoans),
      ...put<StoredBlocks>(client, blocks, ({ manual }) => ({
        manual,
        automated: told.automatedPatronBlocks as AutomatedBlock[],
      })),
    ];
  }
  const requester = returned?.staffSlipContext?.requester?.barcode;
  const isForThem = requester !== undefined && requester === patron.barcode;
  if (returned?.loan?.userId !== patron.id) return isForThem ? [ready] : [];
  const isCharged = factsIn(returned).fees !== undefined;
  const isBlocked = client.getQueryData<StoredBlocks>(blocks)?.automated.length !== 0;
  return [
    ...put<number>(client, openLoans, (count) => count - 1),
    ...(isCharged ? [fees] : []),
    ...(isCharged || isBlocked ? [blocks] : []),
    ...(isForThem ? [ready] : []),
  ];
}

/** Changes what is known; what is being read may be from before, and is read again. */
function put<Known>(client: QueryClient, key: Key, change: (known: Known) => Known): Key[] {
  if (client.isFetching({ queryKey: key }) > 0) return [key];
  client.setQueryData<Known>(key, (known) => (known === undefined ? undefined : change(known)));
  return [];
}
