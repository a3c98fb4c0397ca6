/** Follows the changes of loans: says what came of each, and tries again when the connection was lost. */
import { useEffect, useEffectEvent, useRef } from "react";
import { useStore } from "../../lib/store";
import { announce } from "../../ui/LiveRegion";
import { useReconnect } from "../scanning/useQueue";
import { useClock } from "../tenant/useClock";
import { spokenChange } from "./describe";
import type { LoanRun, LoanScan } from "./loanRun";

export function useLoanRun(run: LoanRun): readonly LoanScan[] {
  const { scans, pause } = useStore(run);
  const clock = useClock();
  const known = useRef(scans);
  const tell = useEffectEvent((settled: LoanScan[]) => {
    const texts = settled.flatMap((scan) => spokenChange(scan, clock) ?? []);
    const isRefusal = settled.some(({ state }) => state === "refused");
    if (texts.length > 0) announce(texts.join(" "), isRefusal ? "assertive" : "polite");
  });
  useEffect(() => {
    const before = new Map(known.current.map(({ id, state }) => [id, state]));
    known.current = scans;
    tell(scans.filter(({ id, state }) => before.get(id) !== state));
  }, [scans]);
  useReconnect(run, pause === "connection-lost");
  return scans;
}
