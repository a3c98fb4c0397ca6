/** Two people changed one record: what each changed since it was read, joined where they do not meet. */

export interface Merge<Draft> {
  /** Mine where I changed something, theirs elsewhere. */
  merged: Draft;
  /** Members that only the other changed. */
  taken: (keyof Draft)[];
  /** Members that both changed, to different values; `merged` has mine. */
  disputed: (keyof Draft)[];
}

export function mergeDrafts<Draft extends object>(
  base: Draft,
  mine: Draft,
  theirs: Draft,
): Merge<Draft> {
  const names = Object.keys(mine) as (keyof Draft)[];
  const theyChanged = names.filter((name) => !isSame(base[name], theirs[name]));
  const differing = theyChanged.filter((name) => !isSame(mine[name], theirs[name]));
  const isMine = (name: keyof Draft) => !isSame(base[name], mine[name]);
  const taken = differing.filter((name) => !isMine(name));
  const merged = { ...mine };
  for (const name of taken) merged[name] = theirs[name];
  return { merged, taken, disputed: differing.filter(isMine) };
}

/** Whether two values print the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
