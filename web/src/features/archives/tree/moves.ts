/** Moving nodes, and taking moves back. A step is one call of the server and one change of the model. */
import { above, changed, childrenOf, type Tree } from "./model";
import { placeOf } from "./rows";

/** Nodes to put below a parent, the first of them at this place among its children without them. */
export interface Step {
  parent: string;
  uris: string[];
  position: number;
}

/** A move that was made: where its nodes came from and went to. */
export interface Move {
  title: string;
  to: Step;
  /** By the order in which they are to be put back. */
  from: { uri: string; parent: string; position: number }[];
}

export type Where = "before" | "after" | "into";

/** Those of the nodes that do not move with another of them, in the order of the tree. */
export function topmost(tree: Tree, uris: Iterable<string>): string[] {
  const all = new Set(uris);
  const kept = [...all].filter((uri) => !above(tree, uri).some((parent) => all.has(parent)));
  return kept
    .map((uri) => ({ uri, way: wayTo(tree, uri) }))
    .sort(byWay)
    .map(({ uri }) => uri);
}

/** The places from the top to a node. */
function wayTo(tree: Tree, uri: string): number[] {
  const steps = [uri, ...above(tree, uri)].map((one) => placeOf(tree, one)?.position ?? 0);
  return steps.reverse();
}

function byWay({ way: one }: { way: number[] }, { way: other }: { way: number[] }): number {
  for (const [depth, place] of one.entries()) {
    const difference = place - (other[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** The step that moves nodes to a place at a target; none if they cannot go there, or nothing would change. */
export function moveTo(
  tree: Tree,
  uris: Iterable<string>,
  target: string,
  where: Where,
): Step | undefined {
  const moved = topmost(tree, uris);
  const place = where === "into" ? undefined : placeOf(tree, target);
  if (where !== "into" && !place) return undefined;
  const parent = place?.parent ?? target;
  if (moved.length === 0 || [parent, ...above(tree, parent)].some((uri) => moved.includes(uri))) {
    return undefined;
  }
  const siblings = childrenOf(tree, parent);
  const slot = place ? place.position + (where === "after" ? 1 : 0) : siblings.length;
  const ahead = siblings
    .slice(0, slot)
    .filter((uri) => uri !== undefined && moved.includes(uri)).length;
  const step = { parent, uris: moved, position: slot - ahead };
  return isStill(tree, step) ? undefined : step;
}

function isStill(tree: Tree, { parent, uris, position }: Step): boolean {
  const there = childrenOf(tree, parent).slice(position, position + uris.length);
  return there.length === uris.length && there.every((uri, at) => uri === uris[at]);
}

/** A step with what is needed to take it back. */
export function moveOf(tree: Tree, to: Step, title: string): Move {
  const from = to.uris.flatMap((uri) => {
    const place = placeOf(tree, uri);
    return place ? [{ uri, ...place }] : [];
  });
  return { title, to, from: from.sort((one, other) => one.position - other.position) };
}

/**
 * The steps that put the nodes of a move back to where they were, one after the other. A node's place counts the siblings
 * that were before it, of which those that are not back yet do not count.
 */
export function stepsBack(tree: Tree, { from }: Move): Step[] {
  const away = new Set(from.map(({ uri }) => uri));
  const steps: Step[] = [];
  let now = tree;
  for (const { uri, parent, position } of from) {
    away.delete(uri);
    const others = childrenOf(now, parent).filter((one) => one !== uri);
    const step = { parent, uris: [uri], position: slotAfter(others, away, position) };
    now = changed(now, { kind: "place", ...step });
    const last = steps.at(-1);
    if (last && last.parent === parent && last.position + last.uris.length === step.position) {
      last.uris.push(uri);
    } else steps.push(step);
  }
  return joinable(tree, steps) ? steps : steps.flatMap(single);
}

/** Runs of neighbours can be put back by one call unless some of them are still among these siblings. */
function joinable(tree: Tree, steps: Step[]): boolean {
  return steps.every(({ parent, uris }) => {
    const there = new Set(childrenOf(tree, parent));
    return uris.length === 1 || !uris.some((uri) => there.has(uri));
  });
}

function single({ parent, uris, position }: Step): Step[] {
  return uris.map((uri, at) => ({ parent, uris: [uri], position: position + at }));
}

/** The place after so many siblings that are not away. */
function slotAfter(
  siblings: readonly (string | undefined)[],
  away: Set<string>,
  count: number,
): number {
  let left = count;
  let slot = 0;
  for (const uri of siblings) {
    if (left === 0) break;
    if (uri === undefined || !away.has(uri)) left -= 1;
    slot += 1;
  }
  return slot;
}
