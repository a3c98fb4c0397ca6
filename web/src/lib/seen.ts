/** The records that this tab has shown last, for the command palette. They go when the user signs out or the tab closes. */
import { useEffect } from "react";
import { Store, useStore } from "./store";

export interface SeenRecord {
  path: string;
  label: string;
}

const KEPT_AS = "carrel.seen";
const MOST = 12;

const store = new Store<readonly SeenRecord[]>(keptRecords());

/** Called by the page of a record, once its label is known. */
export function useSeen(path: string, label: string | undefined): void {
  useEffect(() => {
    if (label) keep(withRecord(store.snapshot(), { path, label }));
  }, [path, label]);
}

export function useSeenRecords(): readonly SeenRecord[] {
  return useStore(store);
}

export function forgetSeen(): void {
  keep([]);
}

/** The newest first, each once. */
export function withRecord(records: readonly SeenRecord[], seen: SeenRecord): SeenRecord[] {
  return [seen, ...records.filter(({ path }) => path !== seen.path)].slice(0, MOST);
}

function keep(records: readonly SeenRecord[]): void {
  sessionStorage.setItem(KEPT_AS, JSON.stringify(records));
  store.set(records);
}

function keptRecords(): SeenRecord[] {
  try {
    return JSON.parse(globalThis.sessionStorage?.getItem(KEPT_AS) ?? "[]") as SeenRecord[];
  } catch {
    return [];
  }
}
