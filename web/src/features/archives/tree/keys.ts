/** What the keys do in a tree, as in any other tree on the platform. */
import { type Change, childrenOf, type Tree } from "./model";
import { indexOfRow, nodesBetween, type Rows, rowAt } from "./rows";

export interface Pressed {
  key: string;
  shift: boolean;
  /** Ctrl, or ⌘ on a Mac. */
  command: boolean;
}

export type Deed =
  | { kind: "change"; changes: Change[] }
  | { kind: "view" | "cut" | "paste" | "undo" | "redo" };

/** What a key does; none if it is not one of the tree's. */
export function deedOf(tree: Tree, rows: Rows, pressed: Pressed, page: number): Deed | undefined {
  if (pressed.command) return commandOf(pressed);
  const target = targetOf(tree, rows, pressed.key, page);
  if (target !== undefined) return going(tree, rows, target, pressed.shift);
  const { focus } = tree;
  switch (pressed.key) {
    case "ArrowRight":
      return rightOf(tree, rows);
    case "ArrowLeft":
      return leftOf(tree, rows);
    case " ":
      return { kind: "change", changes: [{ kind: "toggle", uri: focus }] };
    case "Escape":
      return {
        kind: "change",
        changes: [
          { kind: "cut", uris: [] },
          { kind: "select", uris: [] },
        ],
      };
    case "Enter":
      return { kind: "view" };
    default:
      return pressed.key.length === 1 ? typed(tree, rows, pressed.key) : undefined;
  }
}

function commandOf({ key, shift }: Pressed): Deed | undefined {
  switch (key.toLowerCase()) {
    case "x":
      return { kind: "cut" };
    case "v":
      return { kind: "paste" };
    case "z":
      return { kind: shift ? "redo" : "undo" };
    default:
      return undefined;
  }
}

function targetOf(tree: Tree, rows: Rows, key: string, page: number): number | undefined {
  const now = Math.max(indexOfRow(tree, rows, tree.focus), 0);
  const within = (index: number) => Math.min(Math.max(index, 0), rows.count - 1);
  switch (key) {
    case "ArrowDown":
      return within(now + 1);
    case "ArrowUp":
      return within(now - 1);
    case "PageDown":
      return within(now + page);
    case "PageUp":
      return within(now - page);
    case "Home":
      return 0;
    case "End":
      return rows.count - 1;
    default:
      return undefined;
  }
}

/** Goes to a row; with Shift all rows from where the selection began are selected. */
function going(tree: Tree, rows: Rows, index: number, shift: boolean): Deed {
  const row = rowAt(tree, rows, index)?.name ?? tree.root;
  if (!shift) return { kind: "change", changes: [{ kind: "focus", row }] };
  const uris = nodesBetween(tree, rows, tree.anchor, row);
  return {
    kind: "change",
    changes: [
      { kind: "focus", row, keepAnchor: true },
      { kind: "select", uris },
    ],
  };
}

/** Opens a closed node; from an open one goes to its first child. */
function rightOf(tree: Tree, rows: Rows): Deed | undefined {
  const { focus } = tree;
  if (childrenOf(tree, focus).length === 0) return undefined;
  if (!tree.open.has(focus)) return { kind: "change", changes: [{ kind: "open", uri: focus }] };
  return going(tree, rows, indexOfRow(tree, rows, focus) + 1, false);
}

/** Closes an open node; from any other goes to the one above. */
function leftOf(tree: Tree, rows: Rows): Deed | undefined {
  const { focus } = tree;
  if (tree.open.has(focus) && focus !== tree.root) {
    return { kind: "change", changes: [{ kind: "close", uri: focus }] };
  }
  const parent = rowAt(tree, rows, indexOfRow(tree, rows, focus))?.parent;
  return parent === undefined
    ? undefined
    : { kind: "change", changes: [{ kind: "focus", row: parent }] };
}

/** How far a typed letter looks for a node whose title begins with it. */
const FAR = 1000;

function typed(tree: Tree, rows: Rows, letter: string): Deed | undefined {
  const now = Math.max(indexOfRow(tree, rows, tree.focus), 0);
  const wanted = letter.toLocaleLowerCase();
  for (let step = 1; step < Math.min(rows.count, FAR); step += 1) {
    const row = rowAt(tree, rows, (now + step) % rows.count);
    const title = row?.uri === undefined ? undefined : tree.nodes.get(row.uri)?.child.title;
    if (row && title?.toLocaleLowerCase().startsWith(wanted)) {
      return { kind: "change", changes: [{ kind: "focus", row: row.name }] };
    }
  }
  return undefined;
}
