/**
 * Records that are being edited, outside React: going to another record or page and coming back loses nothing. A draft
 * knows the record that it began with, so that it can be put on top of what somebody else saved in the meantime.
 */
import type { AnyRecord } from "../../../api/archivesTypes";
import { Store, useStore } from "../../../lib/store";

export interface Draft<Kind extends AnyRecord = AnyRecord> {
  /** As it was read. */
  base: Kind;
  /** As it is to be saved. */
  mine: Kind;
}

const drafts = new Store<ReadonlyMap<string, Draft>>(new Map());

export function useDraft<Kind extends AnyRecord>(uri: string): Draft<Kind> | undefined {
  return useStore(drafts).get(uri) as Draft<Kind> | undefined;
}

export function useHasDraft(uri: string): boolean {
  return useStore(drafts).has(uri);
}

export function keepDraft(uri: string, draft: Draft): void {
  drafts.set(new Map(drafts.snapshot()).set(uri, draft));
}

export function dropDraft(uri: string): void {
  const others = new Map(drafts.snapshot());
  others.delete(uri);
  drafts.set(others);
}

/** The parts of a record that a draft has changed. */
export function changedParts({ base, mine }: Draft): string[] {
  const names = new Set([...Object.keys(base), ...Object.keys(mine)]);
  return [...names].filter((name) => !isSame(base[name], mine[name]));
}

export const isChanged = (draft: Draft): boolean => changedParts(draft).length > 0;

/** A draft on top of what somebody else has saved; `clashes` are the parts that both have changed. */
export function rebased<Kind extends AnyRecord>(
  draft: Draft<Kind>,
  theirs: Kind,
): { draft: Draft<Kind>; clashes: string[] } {
  const changed = changedParts(draft);
  const mine = { ...theirs };
  for (const name of changed) (mine as Record<string, unknown>)[name] = draft.mine[name];
  const clashes = changed.filter(
    (name) => !isSame(draft.base[name], theirs[name]) && !isSame(draft.mine[name], theirs[name]),
  );
  return { draft: { base: theirs, mine }, clashes };
}

/** Compares what is written; who saved a part and when does not count. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(written(one)) === JSON.stringify(written(other));
}

const BOOKKEEPING = new Set([
  "lock_version",
  "created_by",
  "last_modified_by",
  "create_time",
  "system_mtime",
  "user_mtime",
  "_resolved",
]);

function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "object" || value === null) return value === "" ? undefined : value;
  const kept = Object.entries(value).filter(([name]) => !BOOKKEEPING.has(name));
  return Object.fromEntries(kept.sort().map(([name, of]) => [name, written(of)]));
}

/** Whether anything that was typed is not saved yet. */
export const hasChangedDrafts = (): boolean => [...drafts.snapshot().values()].some(isChanged);
