/** A finding aid as one sequence of components, and the blocks in which these are read. */
import type { OldTreeNode } from "../../../api/archivesTypes";
import { numberOf } from "../addresses";

export interface Line {
  /** The number of the archival object. */
  id: number;
  title: string;
  level: string;
  depth: number;
  publish: boolean;
  suppressed: boolean;
}

/** Components read and drawn together. */
export const BLOCK = 40;

/** The components below the top, as a reader turns the pages. */
export function linesOf(tree: OldTreeNode): Line[] {
  const lines: Line[] = [];
  const waiting: [OldTreeNode, number][] = tree.children
    .map((child): [OldTreeNode, number] => [child, 1])
    .reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    lines.push({
      id: numberOf(node.record_uri),
      title: node.title ?? "",
      level: node.level ?? "",
      depth,
      publish: node.publish,
      suppressed: node.suppressed,
    });
    for (const child of [...node.children].reverse()) waiting.push([child, depth + 1]);
  }
  return lines;
}

export const blockCount = (lines: readonly Line[]): number => Math.ceil(lines.length / BLOCK);

export const blockOf = (lines: readonly Line[], block: number): Line[] =>
  lines.slice(block * BLOCK, (block + 1) * BLOCK);

/** The height of a block that was not drawn yet. */
export const GUESS = 90;

/** The tops of blocks, given the heights of those that were drawn; the last is the end. */
export function topsOf(lines: readonly Line[], heights: ReadonlyMap<number, number>): number[] {
  const count = blockCount(lines);
  const tops = [0];
  for (let block = 0; block < count; block += 1) {
    const guess = Math.min(BLOCK, lines.length - block * BLOCK) * GUESS;
    tops.push((tops[block] ?? 0) + (heights.get(block) ?? guess));
  }
  return tops;
}

/** The blocks that are in view. */
export function blocksBetween(tops: readonly number[], from: number, to: number): [number, number] {
  let first = 0;
  while (first < tops.length - 2 && (tops[first + 1] ?? 0) <= from) first += 1;
  let last = first;
  while (last < tops.length - 2 && (tops[last + 1] ?? 0) < to) last += 1;
  return [first, last];
}

/** Without what is not published or suppressed, and all that is below it. */
export function published(all: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const line of all) {
    if (line.depth > hiddenBelow) continue;
    const isHidden = !line.publish || line.suppressed;
    hiddenBelow = isHidden ? line.depth : Number.POSITIVE_INFINITY;
    if (!isHidden) kept.push(line);
  }
  return kept;
}
