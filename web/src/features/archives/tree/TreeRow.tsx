import type { MouseEvent } from "react";
import type { TreeChild } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { useHasDraft } from "../record/drafts";
import { inWords, plainText } from "../values";
import { childCount, type Tree } from "./model";
import { nodesBetween, type Row, type Rows } from "./rows";
import styles from "./Tree.module.css";
import type { TreeWork } from "./treeWork";
import type { Dropping } from "./useDropping";

interface Props {
  id: string;
  work: TreeWork;
  tree: Tree;
  row: Row;
  rows: Rows;
  top: number;
  /** Whether the record beside the tree is this one. */
  isShown: boolean;
  dropping: Dropping;
  onView: (uri: string) => void;
}

export function TreeRow({ id, work, tree, row, rows, top, isShown, dropping, onView }: Props) {
  const { uri, name, level } = row;
  const child = uri === undefined ? undefined : tree.nodes.get(uri)?.child;
  const isRoot = uri === tree.root;
  const count = uri === undefined ? 0 : childCount(tree, uri);
  const isOpen = uri !== undefined && tree.open.has(uri);
  const click = (event: MouseEvent) => {
    if (uri === undefined) work.change({ kind: "focus", row: name });
    else if (event.shiftKey) extend(work, tree, rows, name);
    else if (event.ctrlKey || event.metaKey) toggle(work, uri);
    else choose(work, uri, onView);
  };
  const turn = (event: MouseEvent) => {
    event.stopPropagation();
    if (uri !== undefined)
      work.change({ kind: "focus", row: uri }, { kind: isOpen ? "close" : "open", uri });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree names the row as its active descendant
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.siblings}
      aria-posinset={row.position + 1}
      aria-expanded={count > 0 ? isOpen : undefined}
      aria-selected={uri !== undefined && tree.selected.has(uri)}
      aria-current={isShown ? "true" : undefined}
      aria-busy={uri === undefined || undefined}
      className={styles.row}
      data-focused={tree.focus === name || undefined}
      data-cut={(uri !== undefined && tree.cut.includes(uri)) || undefined}
      data-suppressed={child?.suppressed || undefined}
      data-drop={dropping.placeAt(uri)}
      style={{ top: `${top}px`, paddingInlineStart: `${0.4 + (level - 1) * 1.1}rem` }}
      onClick={click}
      {...(uri !== undefined && !isRoot && dropping.sourceProps(uri))}
      {...(uri !== undefined && dropping.targetProps(uri))}
    >
      <span className={styles.turn} aria-hidden="true" onClick={turn}>
        {count > 0 ? (isOpen ? "▾" : "▸") : ""}
      </span>
      {isRoot ? (
        <Root tree={tree} />
      ) : child ? (
        <Node child={child} />
      ) : (
        <span className={styles.waiting}>{t("Loading…")}</span>
      )}
    </div>
  );
}

function Root({ tree }: { tree: Tree }) {
  return (
    <>
      <strong className={styles.title}>{plainText(tree.title)}</strong>{" "}
      <span className={styles.detail}>{inWords(tree.level)}</span>
    </>
  );
}

function Node({ child }: { child: TreeChild }) {
  const hasDraft = useHasDraft(child.uri);
  const dates = (child.dates ?? []).map(dateText).filter(Boolean).join("; ");
  const container = (child.containers ?? []).map(containerText).filter(Boolean).join("; ");
  return (
    <>
      <span className={styles.title}>
        {plainText(child.title) || dates || t("Without a title")}
      </span>{" "}
      {child.title && dates && <span className={styles.detail}>{dates} </span>}
      {container && <span className={styles.container}>{container} </span>}
      <span className={styles.level}>{inWords(child.level)}</span>
      {child.suppressed && <span className={styles.mark}> {t("Suppressed")}</span>}
      {hasDraft && <span className={styles.mark}> {t("Not saved")}</span>}
    </>
  );
}

function dateText({ expression, begin, end }: NonNullable<TreeChild["dates"]>[number]): string {
  return expression ?? [begin, end].filter(Boolean).join("–");
}

function containerText(container: Record<string, string | undefined>): string {
  const { top_container_type, top_container_indicator, type_2, indicator_2 } = container;
  const parts = [
    [top_container_type, top_container_indicator],
    [type_2, indicator_2],
  ];
  return parts.flatMap(([type, of]) => (of ? [`${inWords(type)} ${of}`.trim()] : [])).join(", ");
}

function extend(work: TreeWork, tree: Tree, rows: Rows, name: string): void {
  const uris = nodesBetween(tree, rows, tree.anchor, name);
  work.change({ kind: "focus", row: name, keepAnchor: true }, { kind: "select", uris });
}

function toggle(work: TreeWork, uri: string): void {
  work.change({ kind: "focus", row: uri }, { kind: "toggle", uri });
}

function choose(work: TreeWork, uri: string, onView: (uri: string) => void): void {
  work.change({ kind: "focus", row: uri }, { kind: "select", uris: [uri] });
  onView(uri);
}
