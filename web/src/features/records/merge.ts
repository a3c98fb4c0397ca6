/** What to do when somebody else has changed a record while it was being edited. */
import { isSame, type Values } from "./values";

export interface Merged {
  /** The latest record with the changes made here. */
  record: Values;
  /** Members that somebody else has changed since. */
  theirs: string[];
  /** Members changed here and there to different values; `record` has those from here. */
  both: string[];
}

/** Members that the server keeps: the latest are always right. */
const KEPT_BY_SERVER = ["_version", "metadata"];

/** Brings the changes made here (`base` to `mine`) into the latest record. */
export function merge(base: Values, mine: Values, latest: Values): Merged {
  const members = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(latest)]);
  const record: Record<string, unknown> = { ...latest };
  const theirs: string[] = [];
  const both: string[] = [];
  for (const member of members) {
    if (KEPT_BY_SERVER.includes(member)) continue;
    const changedHere = !isSame(base[member], mine[member]);
    const changedThere = !isSame(base[member], latest[member]);
    if (changedThere) theirs.push(member);
    if (!changedHere) continue;
    if (changedThere && !isSame(mine[member], latest[member])) both.push(member);
    if (mine[member] === undefined) delete record[member];
    else record[member] = mine[member];
  }
  return { record, theirs, both };
}
