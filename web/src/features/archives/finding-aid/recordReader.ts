/**
 * Reads the records of the components in view: one call at a time, for what is in view when it begins. What was scrolled
 * past meanwhile is not read.
 */
import type { Description } from "../../../api/archivesTypes";
import { type Followed, Store } from "../../../lib/store";

export interface RecordsRead {
  records: ReadonlyMap<string, Description>;
  /** Why the last call failed. */
  problem: unknown;
}

/** Records of one call. */
const MOST = 60;

export class RecordReader implements Followed<RecordsRead> {
  readonly #read: (uris: string[]) => Promise<Description[]>;
  readonly #store = new Store<RecordsRead>({ records: new Map(), problem: undefined });
  #wanted: readonly string[] = [];
  /** Deleted since the tree was read. */
  readonly #gone = new Set<string>();
  #isReading = false;

  constructor(read: (uris: string[]) => Promise<Description[]>) {
    this.#read = read;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  readonly snapshot = (): RecordsRead => this.#store.snapshot();

  /** Says what is in view now. After a failure, nothing is read until `tryAgain`. */
  want(uris: readonly string[]): void {
    this.#wanted = uris;
    if (!this.#isReading) void this.#readOn();
  }

  tryAgain(): void {
    this.#store.set({ ...this.snapshot(), problem: undefined });
    void this.#readOn();
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      try {
        const read = await this.#read(next);
        const records = new Map(this.snapshot().records);
        for (const record of read) records.set(record.uri, record);
        for (const uri of next) if (!records.has(uri)) this.#gone.add(uri);
        this.#store.set({ records, problem: undefined });
      } catch (problem) {
        this.#store.set({ ...this.snapshot(), problem });
      }
    }
    this.#isReading = false;
  }

  #next(): string[] {
    const { records, problem } = this.snapshot();
    if (problem !== undefined) return [];
    return this.#wanted.filter((uri) => !records.has(uri) && !this.#gone.has(uri)).slice(0, MOST);
  }
}
