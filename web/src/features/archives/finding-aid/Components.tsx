/** The components of a finding aid, read and drawn around what is in view. */
import { Link } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { listArchivalObjects } from "../../../api/archives";
import type { Description, TreeChild } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { useStore } from "../../../lib/store";
import { announce } from "../../../ui/LiveRegion";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { archivalObjectAddress, componentPageOf, numberOf } from "../addresses";
import { dateInWords, extentInWords, NoteText } from "../record/RecordView";
import { placeOf } from "../tree/rows";
import type { TreeWork } from "../tree/treeWork";
import { inWords, linkedTitle, plainText } from "../values";
import styles from "./FindingAid.module.css";
import { type Line, layoutOf, linesOf } from "./lines";
import { RecordReader } from "./recordReader";
import { useWindow } from "./useWindow";

interface Props {
  work: TreeWork;
  repository: number;
  /** The component to show; the turn tells the same one asked for again. */
  wanted: { id: number; turn: number } | undefined;
}

export function Components({ work, repository, wanted }: Props) {
  const { tree, problem } = useStore(work);
  const [reader] = useState(
    () =>
      new RecordReader((uris) =>
        listArchivalObjects(repository, uris.map(numberOf), ["top_container"]),
      ),
  );
  const { records, problem: unread } = useStore(reader);
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const lines = useMemo(() => linesOf(tree), [tree]);
  const layout = useMemo(() => layoutOf(lines, heights), [lines, heights]);
  const frame = useRef<HTMLDivElement>(null);
  const view = useWindow(frame, layout, setHeights);
  const { first, last, waypoints } = view;
  const shown = layout.lines.slice(first, last + 1);
  useEffect(() => {
    for (const { parent, waypoint } of waypoints(tree.waypointSize))
      void work.read(parent, waypoint);
  });
  useEffect(() => reader.want(shown.flatMap(({ uri }) => uri ?? [])));
  const target = useTarget(work, repository, wanted);
  useLayoutEffect(() => {
    if (!target.uri) return;
    const element = document.getElementById(`component-${numberOf(target.uri)}`);
    const place = placeOf(tree, target.uri);
    if (element) {
      target.reached();
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
    } else if (place) view.show(place);
  });
  const tryAgain = () => {
    void work.tryAgain();
    reader.tryAgain();
  };
  return (
    <>
      <ProblemNotice error={problem ?? unread} onRetry={tryAgain} />
      <div ref={frame} className={styles.components}>
        <div style={{ height: `${layout.tops[first] ?? 0}px` }} />
        {shown.map((line, at) =>
          line.uri === undefined ? (
            <Unread
              key={`${line.parent} ${line.position}`}
              height={(layout.tops[first + at + 1] ?? 0) - (layout.tops[first + at] ?? 0)}
            />
          ) : (
            <Component
              key={line.uri}
              line={line}
              child={tree.nodes.get(line.uri)?.child}
              record={records.get(line.uri)}
              page={componentPageOf(line.uri, tree.root, repository)}
              isWanted={numberOf(line.uri) === wanted?.id}
            />
          ),
        )}
        <div style={{ height: `${(layout.tops.at(-1) ?? 0) - (layout.tops[last + 1] ?? 0)}px` }} />
      </div>
    </>
  );
}

/** The component that is to be brought into view, once the way to it was read. */
function useTarget(work: TreeWork, repository: number, wanted: Props["wanted"]) {
  const [uri, setUri] = useState<string>();
  useEffect(() => {
    if (!wanted) return;
    const asked = archivalObjectAddress(repository, wanted.id);
    const go = async () => {
      const isThere = await work.reveal(asked).catch(() => false);
      if (isThere) setUri(asked);
      else announce(t("This component is not among those shown."));
    };
    void go();
  }, [work, repository, wanted]);
  return { uri, reached: () => setUri(undefined) };
}

function Unread({ height }: { height: number }) {
  return (
    <div style={{ height: `${height}px` }} className={styles.unread}>
      {t("Reading the components…")}
    </div>
  );
}

interface ComponentProps {
  line: Line;
  child: TreeChild | undefined;
  /** What is known besides what trees show; absent until it was read. */
  record: Description | undefined;
  page: string;
  isWanted: boolean;
}

function Component({ line, child, record, page, isWanted }: ComponentProps) {
  const { dates = child?.dates ?? [], extents = [], instances = [], notes = [] } = record ?? {};
  const title = plainText(record?.title ?? child?.title);
  const facts = [
    dates.map(dateInWords).join("; "),
    extents.map(extentInWords).join("; "),
    instances
      .map((one) => linkedTitle(one.sub_container?.top_container ?? one.digital_object))
      .join("; "),
    inWords(child?.level),
    record?.publish === false ? t("not published") : "",
    child?.suppressed ? t("suppressed") : "",
  ].filter(Boolean);
  return (
    <article
      id={`component-${numberOf(line.uri ?? "")}`}
      className={styles.component}
      tabIndex={-1}
      data-uri={line.uri}
      data-wanted={isWanted || undefined}
      aria-label={title}
      style={{ marginInlineStart: `${Math.min(line.depth - 1, 8) * 1.2}rem` }}
    >
      <p className={styles.line}>
        <Link
          to={page as never}
          className={styles.title ?? ""}
          data-top={line.depth === 1 || undefined}
        >
          {title || t("Without a title")}
        </Link>{" "}
        <span className={styles.detail}>{facts.join(" · ")}</span>
      </p>
      {notes.map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is the record's
        <NoteText key={at} note={note} />
      ))}
    </article>
  );
}
