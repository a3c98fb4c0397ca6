import { useEffect, useEffectEvent, useRef } from "react";
import type { DeskScan } from "./scan";

/**
 * Tells once of each scan that is answered while the page is shown, in their order; until the page is ready for them, they
 * wait.
 */
export function useNewlyAnswered(
  scans: readonly DeskScan[],
  onAnswered: (scan: DeskScan) => void,
  isReady = true,
): void {
  const told = useRef(new Set(answeredIn(scans).map(({ id }) => id)));
  const tell = useEffectEvent(onAnswered);
  useEffect(() => {
    if (!isReady) return;
    const answered = answeredIn(scans);
    const before = told.current;
    told.current = new Set(answered.map(({ id }) => id)); // without the scans that are gone
    for (const scan of answered) if (!before.has(scan.id)) tell(scan);
  }, [scans, isReady]);
}

const answeredIn = (scans: readonly DeskScan[]) =>
  scans.filter(({ state }) => state === "answered");
