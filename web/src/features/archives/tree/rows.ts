/**
 * The rows of a tree as they are shown, from the top down. They are never listed: runs of siblings between two open nodes
 * are kept as ranges, so that a hundred thousand closed siblings are one range.
 */
import { childrenOf, placeName, placeNamed, type Tree } from "./model";

/** Siblings one after the other, the last of which may be open. */
interface Run {
  parent: string;
  /** The place of the first among its siblings. */
  from: number;
  /** The row of the first. */
  row: number;
  count: number;
  depth: number;
}

export interface Rows {
  count: number;
  runs: readonly Run[];
}

export interface Row {
  /** The node's address, or the name of a place whose node is still to be read. */
  name: string;
  uri: string | undefined;
  parent: string | undefined;
  /** The place among the siblings, from 0. */
  position: number;
  siblings: number;
  /** 1 for the top. */
  level: number;
}

export function rowsOf(tree: Tree): Rows {
  const openBelow = openChildren(tree);
  const runs: Run[] = [];
  let row = 1; // After the top itself.
  const follow = (parent: string, depth: number) => {
    const count = childrenOf(tree, parent).length;
    let from = 0;
    const take = (to: number) => {
      if (to > from) runs.push({ parent, from, row, count: to - from, depth });
      row += to - from;
      from = to;
    };
    for (const [position, uri] of openBelow.get(parent) ?? []) {
      take(position + 1);
      follow(uri, depth + 1);
    }
    take(count);
  };
  if (tree.open.has(tree.root)) follow(tree.root, 2);
  return { count: row, runs };
}

/** The open children of each node with their places, in their order. */
function openChildren(tree: Tree): Map<string, [number, string][]> {
  const parents = new Map<string, Set<string>>();
  for (const uri of tree.open) {
    const parent = tree.nodes.get(uri)?.parent;
    if (parent !== undefined) parents.set(parent, (parents.get(parent) ?? new Set()).add(uri));
  }
  const found = new Map<string, [number, string][]>();
  for (const [parent, open] of parents) {
    const places: [number, string][] = [];
    for (const [position, uri] of childrenOf(tree, parent).entries()) {
      if (uri !== undefined && open.has(uri)) places.push([position, uri]);
    }
    found.set(parent, places);
  }
  return found;
}

export function rowAt(tree: Tree, rows: Rows, index: number): Row | undefined {
  if (index === 0) return topRow(tree);
  const run = runAt(rows, index);
  if (!run) return undefined;
  const position = run.from + index - run.row;
  const siblings = childrenOf(tree, run.parent);
  const uri = siblings[position];
  const name = uri ?? placeName(run.parent, position);
  return { name, uri, parent: run.parent, position, siblings: siblings.length, level: run.depth };
}

function topRow(tree: Tree): Row {
  return { name: tree.root, uri: tree.root, parent: undefined, position: 0, siblings: 1, level: 1 };
}

function runAt({ runs }: Rows, index: number): Run | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (!run) return undefined;
    if (index < run.row) high = middle - 1;
    else if (index >= run.row + run.count) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** The number of the row with this name; -1 if it is not shown. */
export function indexOfRow(tree: Tree, rows: Rows, name: string): number {
  if (name === tree.root) return 0;
  const place = placeNamed(name) ?? placeOf(tree, name);
  if (!place) return -1;
  const run = rows.runs.find(
    ({ parent, from, count }) =>
      parent === place.parent && place.position >= from && place.position < from + count,
  );
  return run ? run.row + place.position - run.from : -1;
}

/** Where a node that was read is among its siblings. */
export function placeOf(tree: Tree, uri: string): { parent: string; position: number } | undefined {
  const parent = tree.nodes.get(uri)?.parent;
  if (parent === undefined) return undefined;
  const position = childrenOf(tree, parent).indexOf(uri);
  return position < 0 ? undefined : { parent, position };
}

/** The waypoints that the rows of a range wait for. */
export function missingWaypoints(tree: Tree, rows: Rows, from: number, to: number) {
  const missing = new Map<string, { parent: string; waypoint: number }>();
  for (let index = Math.max(from, 1); index < to; index += 1) {
    const row = rowAt(tree, rows, index);
    if (!row || row.uri !== undefined || row.parent === undefined) continue;
    const waypoint = Math.floor(row.position / tree.waypointSize);
    missing.set(placeName(row.parent, waypoint), { parent: row.parent, waypoint });
  }
  return [...missing.values()];
}

/** The nodes that were read between two rows, both included: what Shift selects. */
export function nodesBetween(tree: Tree, rows: Rows, one: string, other: string): string[] {
  const places = [indexOfRow(tree, rows, one), indexOfRow(tree, rows, other)];
  if (places.includes(-1)) return [];
  const found: string[] = [];
  for (let index = Math.min(...places); index <= Math.max(...places); index += 1) {
    const uri = rowAt(tree, rows, index)?.uri;
    if (uri !== undefined && uri !== tree.root) found.push(uri);
  }
  return found;
}
