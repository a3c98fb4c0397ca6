/**
 * A finding aid as one sequence of lines, of which only those near the window are read and drawn. Components that were not
 * read yet are runs with a guessed height, so that the page has about its length from the start.
 */
import { childrenOf, type Tree } from "../tree/model";

/** A component that was read, or siblings one after the other that were not. */
export interface Line {
  parent: string;
  /** The place of the first among its siblings, from 0. */
  position: number;
  count: number;
  /** 1 for those directly below the resource. */
  depth: number;
  /** The component's address; absent until it was read. */
  uri: string | undefined;
}

export interface Layout {
  lines: readonly Line[];
  /** The pixels above each line, and in the end the height of all. */
  tops: readonly number[];
  /** The height of a component that was not drawn yet. */
  guess: number;
}

/** What stays where it is while lines above it get their true heights: a component, and how far its top is above the window's. */
export interface Anchor {
  parent: string;
  position: number;
  above: number;
}

const GUESS = 40;
/** Browsers draw nothing beyond some 33 million pixels. */
const MOST_PIXELS = 20_000_000;

/** The lines as a reader turns the pages: each component before those below it. */
export function linesOf(tree: Tree): Line[] {
  const lines: Line[] = [];
  const follow = (parent: string, depth: number) => {
    let run: Line | undefined;
    for (const [position, uri] of childrenOf(tree, parent).entries()) {
      if (uri === undefined) {
        run ??= lines[lines.push({ parent, position, count: 0, depth, uri }) - 1];
        if (run) run.count += 1;
        continue;
      }
      run = undefined;
      lines.push({ parent, position, count: 1, depth, uri });
      if (tree.children.has(uri)) follow(uri, depth + 1);
    }
  };
  follow(tree.root, 1);
  return lines;
}

/** Where the lines are, given the heights of those that were drawn. */
export function layoutOf(lines: readonly Line[], heights: ReadonlyMap<string, number>): Layout {
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  const guess = Math.min(GUESS, MOST_PIXELS / Math.max(count, 1));
  const tops = [0];
  let top = 0;
  for (const { uri, count: components } of lines) {
    top += (uri === undefined ? undefined : heights.get(uri)) ?? components * guess;
    tops.push(top);
  }
  return { lines, tops, guess };
}

export const heightOf = ({ tops }: Layout): number => tops.at(-1) ?? 0;

/** The line at this height; the first or last for what is before or behind all. */
export function lineAt({ lines, tops }: Layout, y: number): number {
  let [low, high] = [0, Math.max(lines.length - 1, 0)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The component at the top of the window, `y` pixels below the first line; none while the window begins above that. */
export function anchorAt(layout: Layout, y: number): Anchor | undefined {
  const at = lineAt(layout, y);
  const line = layout.lines[at];
  if (y <= 0 || !line) return undefined;
  const within = y - (layout.tops[at] ?? 0);
  const skipped =
    line.uri === undefined ? Math.min(Math.floor(within / layout.guess), line.count - 1) : 0;
  const { parent, position } = line;
  return { parent, position: position + skipped, above: within - skipped * layout.guess };
}

/** How far below the first line a component begins; undefined if there is none at this place any more. */
export function topOf(layout: Layout, parent: string, position: number): number | undefined {
  const at = layout.lines.findIndex(
    (line) =>
      line.parent === parent && position >= line.position && position < line.position + line.count,
  );
  const line = layout.lines[at];
  if (!line) return undefined;
  return (layout.tops[at] ?? 0) + (position - line.position) * layout.guess;
}

/** The waypoints that are still to be read for what is between two heights. */
export function waypointsBetween(layout: Layout, from: number, to: number, size: number) {
  const wanted: { parent: string; waypoint: number }[] = [];
  const last = lineAt(layout, to);
  for (let at = lineAt(layout, from); at <= last; at += 1) {
    const line = layout.lines[at];
    if (!line || line.uri !== undefined) continue;
    const place = (y: number) => Math.floor((y - (layout.tops[at] ?? 0)) / layout.guess);
    const within = (skipped: number) => Math.min(Math.max(skipped, 0), line.count - 1);
    const first = Math.floor((line.position + within(place(from))) / size);
    const end = Math.floor((line.position + within(place(to))) / size);
    for (let waypoint = first; waypoint <= end; waypoint += 1) {
      wanted.push({ parent: line.parent, waypoint });
    }
  }
  return wanted;
}
