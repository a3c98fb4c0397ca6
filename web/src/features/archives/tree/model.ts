/**
 * What the page knows of a tree of components: which nodes were read, which are open, selected, cut. All changes are plain
 * functions, so that a tree of any size can be tested without a page.
 *
 * Children come in waypoints, pages of 200 siblings. A list of children has its full length from the start, with holes
 * for what was not read yet; so every place in the tree is known before its node is.
 */
import type { TreeChild, TreeRoot, Waypoints } from "../../../api/archivesTypes";

export interface TreeNode {
  uri: string;
  /** The address of the node above, or of the record at the top. */
  parent: string;
  child: TreeChild;
}

export interface Tree {
  /** The address of the record at the top. */
  root: string;
  title: string;
  level: string;
  identifier: string;
  waypointSize: number;
  nodes: ReadonlyMap<string, TreeNode>;
  /** The children of each node that has some, with holes. */
  children: ReadonlyMap<string, readonly (string | undefined)[]>;
  open: ReadonlySet<string>;
  selected: ReadonlySet<string>;
  /** The row with the focus: an address, or a place that waits for its node. */
  focus: string;
  /** Where a selection with Shift began. */
  anchor: string;
  cut: readonly string[];
}

export type Change =
  | { kind: "read"; parent: string; waypoint: number; children: TreeChild[] }
  | { kind: "open"; uri: string }
  | { kind: "close"; uri: string }
  | { kind: "focus"; row: string; keepAnchor?: boolean }
  | { kind: "select"; uris: string[]; anchor?: string }
  | { kind: "toggle"; uri: string }
  | { kind: "cut"; uris: string[] }
  | { kind: "place"; parent: string; uris: string[]; position: number }
  | { kind: "insert"; parent: string; position: number; child: TreeChild }
  | { kind: "drop"; uri: string }
  | { kind: "revise"; uri: string; child: Partial<TreeChild> }
  | { kind: "rename"; title: string };

/** A tree as it is first read: its top is open. */
export function treeOf(read: TreeRoot): Tree {
  const tree: Tree = {
    root: read.uri,
    title: read.title ?? "",
    level: read.level ?? "",
    identifier: read.identifier ?? "",
    waypointSize: read.waypoint_size,
    nodes: new Map(),
    children: new Map([[read.uri, holes(read.child_count)]]),
    open: new Set([read.uri]),
    selected: new Set(),
    focus: read.uri,
    anchor: read.uri,
    cut: [],
  };
  return withWaypoints(tree, read.precomputed_waypoints);
}

export function changed(tree: Tree, change: Change): Tree {
  switch (change.kind) {
    case "read":
      return withRead(tree, change.parent, change.waypoint, change.children);
    case "open":
      return childCount(tree, change.uri) > 0
        ? { ...tree, open: new Set(tree.open).add(change.uri) }
        : tree;
    case "close":
      return closed(tree, change.uri);
    case "focus":
      return { ...tree, focus: change.row, anchor: change.keepAnchor ? tree.anchor : change.row };
    case "select":
      return selecting(tree, change.uris, change.anchor);
    case "toggle":
      return toggled(tree, change.uri);
    case "cut":
      return { ...tree, cut: change.uris };
    case "place":
      return placed(tree, change.parent, change.uris, change.position);
    case "insert":
      return inserted(tree, change.parent, change.position, change.child);
    case "drop":
      return dropped(tree, change.uri);
    case "revise":
      return revised(tree, change.uri, change.child);
    case "rename":
      return { ...tree, title: change.title };
  }
}

export const childrenOf = (tree: Tree, uri: string): readonly (string | undefined)[] =>
  tree.children.get(uri) ?? [];

export const childCount = (tree: Tree, uri: string): number => childrenOf(tree, uri).length;

export const isOpen = (tree: Tree, uri: string): boolean => tree.open.has(uri);

/** The nodes above one, nearest first, up to the top. */
export function above(tree: Tree, uri: string): string[] {
  const found: string[] = [];
  let at = tree.nodes.get(uri)?.parent;
  while (at !== undefined) {
    found.push(at);
    at = tree.nodes.get(at)?.parent;
  }
  return found;
}

/** The name of a place whose node was not read yet. */
export const placeName = (parent: string, position: number): string => `${parent}#${position}`;

export function placeNamed(row: string): { parent: string; position: number } | undefined {
  const at = row.lastIndexOf("#");
  return at < 0 ? undefined : { parent: row.slice(0, at), position: Number(row.slice(at + 1)) };
}

const holes = (count: number): undefined[] => new Array(count).fill(undefined);

function withWaypoints(tree: Tree, waypoints: Waypoints): Tree {
  let filled = tree;
  for (const [parent, pages] of Object.entries(waypoints)) {
    for (const [number, children] of Object.entries(pages)) {
      filled = withRead(filled, parent || tree.root, Number(number), children);
    }
  }
  return filled;
}

function withRead(tree: Tree, parent: string, waypoint: number, read: TreeChild[]): Tree {
  const from = waypoint * tree.waypointSize;
  const list = [...childrenOf(tree, parent)];
  const nodes = new Map(tree.nodes);
  const children = new Map(tree.children);
  for (const [at, child] of read.entries()) {
    list[from + at] = child.uri;
    nodes.set(child.uri, { uri: child.uri, parent, child });
    const known = children.get(child.uri);
    if (known?.length !== child.child_count) {
      if (child.child_count > 0) children.set(child.uri, holes(child.child_count));
      else children.delete(child.uri);
    }
  }
  // The last waypoint tells the true number of siblings, if others added or deleted some since.
  if (read.length < tree.waypointSize) list.length = from + read.length;
  children.set(parent, list);
  const place = placeNamed(tree.focus);
  const focus = place?.parent === parent ? (list[place.position] ?? tree.focus) : tree.focus;
  return { ...tree, nodes, children, focus };
}

/** Closes a node; a focus below it comes up to it. */
function closed(tree: Tree, uri: string): Tree {
  if (!tree.open.has(uri)) return tree;
  const open = new Set(tree.open);
  open.delete(uri);
  const owner = placeNamed(tree.focus)?.parent ?? tree.focus;
  const isBelow =
    owner !== tree.focus
      ? owner === uri || above(tree, owner).includes(uri)
      : above(tree, owner).includes(uri);
  return isBelow ? { ...tree, open, focus: uri, anchor: uri } : { ...tree, open };
}

/** The top cannot be moved, so it is never among the selected. */
function selecting(tree: Tree, uris: string[], anchor?: string): Tree {
  const selected = new Set(uris.filter((uri) => tree.nodes.has(uri)));
  return { ...tree, selected, ...(anchor !== undefined && { anchor }) };
}

function toggled(tree: Tree, uri: string): Tree {
  if (!tree.nodes.has(uri)) return tree;
  const selected = new Set(tree.selected);
  if (!selected.delete(uri)) selected.add(uri);
  return { ...tree, selected, anchor: uri };
}

/** Moves nodes below another one, so that the first of them comes at this place among its children without them. */
function placed(tree: Tree, parent: string, uris: readonly string[], position: number): Tree {
  const moved = new Set(uris);
  const children = new Map(tree.children);
  const nodes = new Map(tree.nodes);
  for (const from of new Set(uris.map((uri) => tree.nodes.get(uri)?.parent ?? tree.root))) {
    setChildren(
      children,
      tree.root,
      from,
      childrenOf(tree, from).filter((uri) => !uri || !moved.has(uri)),
    );
  }
  const list = [...(children.get(parent) ?? [])];
  list.splice(position, 0, ...uris);
  children.set(parent, list);
  for (const uri of uris) {
    const node = nodes.get(uri);
    if (node) nodes.set(uri, { ...node, parent });
  }
  return settled({ ...tree, children, nodes, cut: tree.cut.filter((uri) => !moved.has(uri)) });
}

function inserted(tree: Tree, parent: string, position: number, child: TreeChild): Tree {
  const children = new Map(tree.children);
  const list = [...childrenOf(tree, parent)];
  list.splice(position, 0, child.uri);
  children.set(parent, list);
  const nodes = new Map(tree.nodes).set(child.uri, { uri: child.uri, parent, child });
  const open = new Set(tree.open).add(parent);
  return {
    ...tree,
    children,
    nodes,
    open,
    focus: child.uri,
    anchor: child.uri,
    selected: new Set(),
  };
}

/** Takes out a deleted node with all below it; the focus goes to its neighbour or up. */
function dropped(tree: Tree, uri: string): Tree {
  const node = tree.nodes.get(uri);
  if (!node) return tree;
  const siblings = childrenOf(tree, node.parent);
  const at = siblings.indexOf(uri);
  const gone = (one: string) => one === uri || above(tree, one).includes(uri);
  const children = new Map([...tree.children].filter(([parent]) => !gone(parent)));
  setChildren(
    children,
    tree.root,
    node.parent,
    siblings.filter((one) => one !== uri),
  );
  const nodes = new Map([...tree.nodes].filter(([one]) => !gone(one)));
  const focus = siblings[at + 1] ?? siblings[at - 1] ?? node.parent;
  const kept = (uris: Iterable<string>) => [...uris].filter((one) => !gone(one));
  const selected = new Set(kept(tree.selected));
  return settled({ ...tree, children, nodes, focus, anchor: focus, selected, cut: kept(tree.cut) });
}

function revised(tree: Tree, uri: string, child: Partial<TreeChild>): Tree {
  const node = tree.nodes.get(uri);
  if (!node) return tree;
  const nodes = new Map(tree.nodes).set(uri, { ...node, child: { ...node.child, ...child } });
  return { ...tree, nodes };
}

/** A node without children has no list of them; the top always has one. */
function setChildren(
  children: Map<string, readonly (string | undefined)[]>,
  root: string,
  parent: string,
  list: (string | undefined)[],
): void {
  if (list.length > 0 || parent === root) children.set(parent, list);
  else children.delete(parent);
}

/** Closes what has no children any more. */
function settled(tree: Tree): Tree {
  const open = new Set([...tree.open].filter((uri) => uri === tree.root || tree.children.has(uri)));
  return { ...tree, open };
}
