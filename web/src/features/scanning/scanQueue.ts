/**
 * The scans of one task, answered one after the other in the order of scanning.
 *
 * A scanner is faster than the server,
 * so each scan is kept at once and shown as waiting. When the session expires or the connection drops, the queue
 * pauses, keeps everything, and resumes later.
 */
import { ConnectionLostError, SessionExpiredError } from "../../api/errors";
import { type Followed, Store } from "../../lib/store";

export type ScanState = "waiting" | "working" | "answered" | "refused";

export interface Scan<Answer, Options> {
  readonly id: number;
  readonly barcode: string;
  readonly scannedAt: Date;
  readonly options: Options;
  readonly state: ScanState;
  /** Set when `state` is `answered`. */
  readonly answer?: Answer;
  /** Set when `state` is `refused`. */
  readonly error?: unknown;
  /** An earlier attempt got no answer, so the server may already have made the change. */
  readonly inDoubt: boolean;
}

export type Pause = "session-expired" | "connection-lost";

export interface QueueState<Answer, Options> {
  /** In the order of scanning. */
  readonly scans: readonly Scan<Answer, Options>[];
  readonly pause?: Pause;
}

/** Sends one scan to the server; `before` are the earlier scans. */
export type ScanStep<Answer, Options> = (
  scan: Scan<Answer, Options>,
  before: readonly Scan<Answer, Options>[],
) => Promise<Answer>;

export class ScanQueue<Answer, Options> implements Followed<QueueState<Answer, Options>> {
  readonly #step: ScanStep<Answer, Options>;
  readonly #store = new Store<QueueState<Answer, Options>>({ scans: [] });
  #nextId = 1;
  #running = false;

  readonly subscribe = this.#store.subscribe;
  readonly snapshot = this.#store.snapshot;

  constructor(step: ScanStep<Answer, Options>) {
    this.#step = step;
  }

  add(barcode: string, scannedAt: Date, options: Options): void {
    const id = this.#nextId++;
    const scan = { id, barcode, scannedAt, options, state: "waiting", inDoubt: false } as const;
    this.#set({ ...this.#state, scans: [...this.#state.scans, scan] });
    void this.#run();
  }

  /** Repeats a refused scan with other options: an override, a resolution. */
  retry(id: number, options: Options): void {
    this.#change(id, ({ error: _, ...scan }) =>
      scan.state === "refused" ? { ...scan, options, state: "waiting" } : scan,
    );
    void this.#run();
  }

  /** Repeats, in their order, the refused scans whose refusal is worth it: a permission is there again. */
  retryAll(isWorthIt: (scan: Scan<Answer, Options>) => boolean): void {
    const scans = this.#state.scans.map((scan) => {
      if (scan.state !== "refused" || !isWorthIt(scan)) return scan;
      const { error: _, ...rest } = scan;
      return { ...rest, state: "waiting" as const };
    });
    this.#set({ ...this.#state, scans });
    void this.#run();
  }

  /** Puts what became of an answered scan in the place of its answer. */
  amend(id: number, answer: Answer): void {
    this.#change(id, (scan) => (scan.state === "answered" ? { ...scan, answer } : scan));
  }

  /** Resumes after a pause. */
  resume(): void {
    const { pause: _, ...state } = this.#state;
    this.#set(state);
    void this.#run();
  }

  /** Removes the answered scans of a finished session; those still waiting stay. */
  clear(): void {
    this.#set({ ...this.#state, scans: this.#state.scans.filter(isPending) });
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let scan = this.#next(); scan; scan = this.#next()) await this.#process(scan);
    this.#running = false;
  }

  #next(): Scan<Answer, Options> | undefined {
    if (this.#state.pause) return undefined;
    return this.#state.scans.find((scan) => scan.state === "waiting");
  }

  async #process(scan: Scan<Answer, Options>): Promise<void> {
    this.#change(scan.id, (scan) => ({ ...scan, state: "working" }));
    try {
      const answer = await this.#step(scan, this.#before(scan));
      this.#change(scan.id, (scan) => ({ ...scan, state: "answered", answer, inDoubt: false }));
    } catch (error) {
      this.#fail(scan, error);
    }
  }

  #fail({ id }: Scan<Answer, Options>, error: unknown): void {
    if (error instanceof SessionExpiredError) {
      this.#change(id, (scan) => ({ ...scan, state: "waiting" }));
      this.#set({ ...this.#state, pause: "session-expired" });
    } else if (error instanceof ConnectionLostError) {
      this.#change(id, (scan) => ({ ...scan, state: "waiting", inDoubt: true }));
      this.#set({ ...this.#state, pause: "connection-lost" });
    } else {
      this.#change(id, (scan) => ({ ...scan, state: "refused", error, inDoubt: false }));
    }
  }

  #before({ id }: Scan<Answer, Options>): readonly Scan<Answer, Options>[] {
    return this.#state.scans.filter((other) => other.id < id);
  }

  #change(id: number, change: (scan: Scan<Answer, Options>) => Scan<Answer, Options>): void {
    const scans = this.#state.scans.map((scan) => (scan.id === id ? change(scan) : scan));
    this.#set({ ...this.#state, scans });
  }

  get #state(): QueueState<Answer, Options> {
    return this.#store.snapshot();
  }

  #set(state: QueueState<Answer, Options>): void {
    this.#store.set(state);
  }
}

/** Whether a scan has no answer yet. */
export function isPending(scan: { state: ScanState }): boolean {
  return scan.state === "waiting" || scan.state === "working";
}
