/**
 * A tree of any size: only the rows on the screen are drawn, and what they need is read as they come into view. The focus
 * stays on the tree itself (`aria-activedescendant`), so that a row that is not drawn any more cannot lose it.
 */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef } from "react";
import { t } from "../../../lib/i18n";
import { useStore } from "../../../lib/store";
import { type Deed, deedOf } from "./keys";
import { indexOfRow, missingWaypoints, rowAt, rowsOf } from "./rows";
import styles from "./Tree.module.css";
import { TreeRow } from "./TreeRow";
import type { TreeWork } from "./treeWork";
import { useDropping } from "./useDropping";
import { useVisibleRows } from "./useVisibleRows";

/** Pixels of a row. */
const ROW = 34;
/** Rows beyond the screen for which nodes are read. */
const AHEAD = 40;

interface Props {
  label: string;
  work: TreeWork;
  /** The record that is shown beside the tree. */
  shown: string;
  onView: (uri: string) => void;
  onDeed: (deed: "cut" | "paste" | "undo" | "redo") => void;
}

export function TreeView({ label, work, shown, onView, onDeed }: Props) {
  const { tree } = useStore(work);
  const id = useId();
  const rows = useMemo(() => rowsOf(tree), [tree]);
  const frame = useRef<HTMLDivElement>(null);
  const [from, to] = useVisibleRows(frame, rows.count, ROW);
  const focused = indexOfRow(tree, rows, tree.focus);
  const dropping = useDropping(work);

  useEffect(() => {
    for (const { parent, waypoint } of missingWaypoints(tree, rows, from - AHEAD, to + AHEAD)) {
      void work.read(parent, waypoint);
    }
  }, [work, tree, rows, from, to]);

  useLayoutEffect(() => bringIntoView(frame.current, focused), [focused]);

  const act = (deed: Deed) => {
    if (deed.kind === "change") work.change(...deed.changes);
    else if (deed.kind === "view") view(tree.focus);
    else onDeed(deed.kind);
  };
  const view = (uri: string) => {
    if (uri === tree.root || tree.nodes.has(uri)) onView(uri);
  };
  const press = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const pressed = {
      key: event.key,
      shift: event.shiftKey,
      command: event.ctrlKey || event.metaKey,
    };
    const page = Math.max(to - from - 2, 1);
    const deed = deedOf(tree, rows, pressed, page);
    if (!deed) return;
    event.preventDefault();
    act(deed);
  };
  const drawn = range(from, to, focused, rows.count);
  return (
    <div
      ref={frame}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={`${id}-${focused}`}
      tabIndex={0}
      onKeyDown={press}
    >
      <div role="none" className={styles.rows} style={{ height: `${rows.count * ROW}px` }}>
        {drawn.map((index) => {
          const row = rowAt(tree, rows, index);
          return (
            row && (
              <TreeRow
                key={row.name}
                id={`${id}-${index}`}
                work={work}
                tree={tree}
                row={row}
                rows={rows}
                top={index * ROW}
                isShown={row.uri === shown}
                dropping={dropping}
                onView={view}
              />
            )
          );
        })}
      </div>
      {tree.children.get(tree.root)?.length === 0 && (
        <p className={styles.none} role="none">
          {t("There are no components yet.")}
        </p>
      )}
    </div>
  );
}

/** The visible rows, and the one with the focus, which assistive technology reads. */
function range(from: number, to: number, focused: number, count: number): number[] {
  const drawn = Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at);
  if (focused < 0 || focused >= count || (focused >= from && focused < to)) return drawn;
  return focused < from ? [focused, ...drawn] : [...drawn, focused];
}

function bringIntoView(frame: HTMLElement | null, index: number): void {
  if (!frame || index < 0) return;
  const top = index * ROW;
  const isAbove = top < frame.scrollTop;
  const isBelow = top + ROW > frame.scrollTop + frame.clientHeight;
  const isFar = Math.abs(top - frame.scrollTop) > 2 * frame.clientHeight;
  if (isFar) frame.scrollTop = top - frame.clientHeight / 3;
  else if (isAbove) frame.scrollTop = top;
  else if (isBelow) frame.scrollTop = top + ROW - frame.clientHeight;
}
