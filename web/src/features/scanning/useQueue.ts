/** What every scanning page does with its queue: follow it, announce its answers, resume it. */
import { useEffect, useEffectEvent, useRef } from "react";
import { useStore } from "../../lib/store";
import { announce } from "../../ui/LiveRegion";
import type { QueueState, Scan, ScanQueue } from "./scanQueue";

/** Milliseconds between attempts to reach a server that does not answer. */
const RECONNECT_EVERY = 5_000;

/** The queue's state; each answer that arrives while the page is shown is announced. */
export function useQueue<Answer, Options>(
  queue: ScanQueue<Answer, Options>,
  speak: (scan: Scan<Answer, Options>) => string | undefined,
): QueueState<Answer, Options> {
  const state = useStore(queue);
  useSpokenScans(state.scans, speak);
  useReconnect(queue, state.pause === "connection-lost");
  return state;
}

function useSpokenScans<S extends Scan<unknown, unknown>>(
  scans: readonly S[],
  speak: (scan: S) => string | undefined,
): void {
  const known = useRef(scans);
  const speakSettled = useEffectEvent((settled: S[]) => {
    const texts = settled.map(speak).filter((text) => text !== undefined);
    const isRefusal = settled.some((scan) => scan.state === "refused");
    if (texts.length > 0) announce(texts.join(" "), isRefusal ? "assertive" : "polite");
  });
  useEffect(() => {
    const before = new Map(known.current.map((scan) => [scan.id, scan.state]));
    known.current = scans;
    speakSettled(scans.filter((scan) => before.get(scan.id) !== scan.state));
  }, [scans]);
}

function useReconnect(queue: { resume(): void }, isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return;
    const retry = () => queue.resume();
    const timer = setTimeout(retry, RECONNECT_EVERY);
    window.addEventListener("online", retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", retry);
    };
  }, [queue, isLost]);
}
