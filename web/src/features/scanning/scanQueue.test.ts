import { describe, expect, test, vi } from "vitest";
import { ConnectionLostError, RefusedError, SessionExpiredError } from "../../api/errors";
import { ScanQueue, type ScanStep } from "./scanQueue";

const NOON = new Date("2026-01-01T12:00:00Z");

/** A queue whose server fails with each of `faults` once and then answers in upper case. */
function queueWith(faults: Record<string, unknown[]> = {}) {
  const calls: string[] = [];
  const step: ScanStep<string, string> = async (scan) => {
    calls.push(`${scan.barcode}${scan.options}${scan.inDoubt ? "?" : ""}`);
    await Promise.resolve();
    const fault = faults[scan.barcode]?.shift();
    if (fault) throw fault;
    return scan.barcode.toUpperCase();
  };
  const queue = new ScanQueue(step);
  return { queue, calls, scan: (barcode: string) => queue.add(barcode, NOON, "") };
}

const outcome = (queue: ScanQueue<string, string>) =>
  queue.snapshot().scans.map((scan) => `${scan.barcode} ${scan.state} ${scan.answer ?? "-"}`);

const settled = (queue: ScanQueue<string, string>) =>
  vi.waitFor(() => {
    const { scans, pause } = queue.snapshot();
    const busy = scans.some((scan) => scan.state === "working");
    const idle = pause !== undefined || scans.every((scan) => scan.state !== "waiting");
    if (busy || !idle) throw new Error("still running");
  });

describe("a scan queue", () => {
  test("shows a scan at once and answers it in place", async () => {
    const { queue, scan } = queueWith();
    scan("a");
    expect(queue.snapshot().scans[0]?.state).toBe("working");
    await settled(queue);
    expect(outcome(queue)).toEqual(["a answered A"]);
  });

  test("loses none of fifty scans made at once, and sends them in order, one at a time", async () => {
    let inFlight = 0;
    let most = 0;
    const sent: string[] = [];
    const queue = new ScanQueue<string, string>(async ({ barcode }) => {
      sent.push(barcode);
      most = Math.max(most, ++inFlight);
      await Promise.resolve();
      inFlight--;
      return barcode;
    });
    const barcodes = Array.from({ length: 50 }, (_, n) => `item-${n}`);
    for (const barcode of barcodes) queue.add(barcode, NOON, "");
    await settled(queue);
    expect(sent).toEqual(barcodes);
    expect(most).toBe(1);
    expect(outcome(queue)).toEqual(barcodes.map((b) => `${b} answered ${b}`));
  });

  test("keeps two scans of the same barcode apart", async () => {
    const { queue, scan } = queueWith({ a: [undefined, new RefusedError(422, [])] });
    scan("a");
    scan("a");
    await settled(queue);
    expect(outcome(queue)).toEqual(["a answered A", "a refused -"]);
  });

  test("continues after a refusal, which can be retried with other options", async () => {
    const { queue, calls, scan } = queueWith({ a: [new RefusedError(422, [])] });
    scan("a");
    scan("b");
    await settled(queue);
    expect(outcome(queue)).toEqual(["a refused -", "b answered B"]);
    queue.retry(1, "+override");
    await settled(queue);
    expect(outcome(queue)).toEqual(["a answered A", "b answered B"]);
    expect(queue.snapshot().scans[0]).not.toHaveProperty("error");
    expect(calls).toEqual(["a", "b", "a+override"]);
  });

  test("repeats together, in their order, the refused scans that are worth it", async () => {
    const no = () => new RefusedError(403, []);
    const { queue, calls, scan } = queueWith({
      a: [no()],
      b: [new RefusedError(422, [])],
      c: [no()],
    });
    for (const barcode of ["a", "b", "c"]) scan(barcode);
    await settled(queue);
    queue.retryAll(({ error }) => error instanceof RefusedError && error.status === 403);
    await settled(queue);
    expect(outcome(queue)).toEqual(["a answered A", "b refused -", "c answered C"]);
    expect(calls).toEqual(["a", "b", "c", "a", "c"]);
  });

  test("shows what became of an answered scan, without sending it again", async () => {
    const { queue, calls, scan } = queueWith();
    scan("a");
    await settled(queue);
    queue.amend(1, "changed");
    expect(outcome(queue)).toEqual(["a answered changed"]);
    expect(calls).toEqual(["a"]);
  });

  test("does not send an answered scan again", async () => {
    const { queue, calls, scan } = queueWith();
    scan("a");
    await settled(queue);
    queue.retry(1, "+override");
    await settled(queue);
    expect(calls).toEqual(["a"]);
  });

  test("keeps everything when the session expires, and resumes after signing in again", async () => {
    const { queue, calls, scan } = queueWith({ a: [new SessionExpiredError()] });
    scan("a");
    scan("b");
    await settled(queue);
    expect(queue.snapshot().pause).toBe("session-expired");
    scan("c");
    expect(outcome(queue)).toEqual(["a waiting -", "b waiting -", "c waiting -"]);
    queue.resume();
    await settled(queue);
    expect(outcome(queue)).toEqual(["a answered A", "b answered B", "c answered C"]);
    expect(calls).toEqual(["a", "a", "b", "c"]);
  });

  test("marks a scan in doubt if the connection was lost", async () => {
    const { queue, calls, scan } = queueWith({ a: [new ConnectionLostError()] });
    scan("a");
    scan("b");
    await settled(queue);
    expect(queue.snapshot().pause).toBe("connection-lost");
    queue.resume();
    await settled(queue);
    expect(calls).toEqual(["a", "a?", "b"]);
    expect(queue.snapshot().scans.every((scan) => !scan.inDoubt)).toBe(true);
  });

  test("passes earlier scans to each step", async () => {
    const seen: number[] = [];
    const queue = new ScanQueue<string, string>(async (scan, before) => {
      seen.push(before.length);
      return scan.barcode;
    });
    for (const barcode of ["a", "b", "c"]) queue.add(barcode, NOON, "");
    await settled(queue);
    expect(seen).toEqual([0, 1, 2]);
  });

  test("clears answered scans and keeps waiting ones", async () => {
    const { queue, scan } = queueWith({ b: [new SessionExpiredError()] });
    scan("a");
    scan("b");
    await settled(queue);
    queue.clear();
    expect(outcome(queue)).toEqual(["b waiting -"]);
  });

  test("notifies subscribers of every change until they unsubscribe", async () => {
    const { queue, scan } = queueWith();
    const states: string[] = [];
    const leave = queue.subscribe(() => states.push(queue.snapshot().scans[0]?.state ?? "none"));
    scan("a");
    await settled(queue);
    leave();
    scan("b");
    await settled(queue);
    expect(states).toEqual(["waiting", "working", "answered"]);
  });
});
