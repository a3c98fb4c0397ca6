/** What every scanning page does with its queue: follow it, announce its answers by voice and sound, resume it. */
import { useEffect, useEffectEvent, useRef } from "react";
import { play } from "../../lib/sound";
import { useStore } from "../../lib/store";
import { announce } from "../../ui/LiveRegion";
import { OUTCOMES, type OutcomeName, weightiest } from "./outcomes";
import { outcomeOf, type Reader, spoken } from "./result";
import type { QueueState, Scan, ScanQueue } from "./scanQueue";

/** Milliseconds between attempts to reach a server that does not answer. */
const RECONNECT_EVERY = 5_000;

/** The queue's state; each answer that arrives while the page is shown is announced. */
export function useQueue<Answer, Options>(
  queue: ScanQueue<Answer, Options>,
  reader: Reader<Answer>,
): QueueState<Answer, Options> {
  const state = useStore(queue);
  const isLost = state.pause === "connection-lost";
  useToldScans(state.scans, reader);
  useToldLoss(isLost);
  useReconnect(queue, isLost);
  return state;
}

function useToldScans<Answer, Options>(
  scans: readonly Scan<Answer, Options>[],
  reader: Reader<Answer>,
): void {
  const known = useRef(scans);
  const tell = useEffectEvent((settled: Scan<Answer, Options>[]) => {
    const texts = settled.flatMap((scan) => spoken(scan, reader) ?? []);
    const isRefusal = settled.some((scan) => scan.state === "refused");
    if (texts.length > 0) announce(texts.join(" "), isRefusal ? "assertive" : "polite");
    playOutcome(weightiest(settled.flatMap((scan) => outcomeOf(scan, reader) ?? [])));
  });
  useEffect(() => {
    const before = new Map(known.current.map((scan) => [scan.id, scan.state]));
    known.current = scans;
    tell(scans.filter((scan) => before.get(scan.id) !== scan.state));
  }, [scans]);
}

/** The notice on the page says it to screen readers. */
function useToldLoss(isLost: boolean): void {
  useEffect(() => {
    if (isLost) playOutcome("lost");
  }, [isLost]);
}

function playOutcome(name: OutcomeName | undefined): void {
  if (name) play(OUTCOMES[name].sound);
}

export function useReconnect(queue: { resume(): void }, isLost: boolean): void {
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
