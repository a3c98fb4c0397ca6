/** The components of a finding aid, read and drawn in blocks around what is in view. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { listArchivalObjects } from "../../../api/archives";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { archivalObjectAddress, componentPageOf } from "../addresses";
import { ARCHIVES_KEY } from "../queries";
import { dateInWords, extentInWords, NoteText } from "../record/RecordView";
import { inWords, linkedTitle, plainText } from "../values";
import styles from "./FindingAid.module.css";
import { BLOCK, blockOf, blocksBetween, type Line, topsOf } from "./skeleton";

interface Props {
  repository: number;
  root: string;
  lines: readonly Line[];
  /** The component to show; the turn tells the same one asked for again. */
  wanted: { id: number; turn: number } | undefined;
}

/** Pixels beyond the window for which blocks are drawn. */
const AHEAD = 1200;

export function Blocks({ repository, root, lines, wanted }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  const tops = useMemo(() => topsOf(lines, heights), [lines, heights]);
  const [first, last] = useBlocksInView(frame, tops);
  const measured = (block: number, height: number) =>
    setHeights((known) =>
      known.get(block) === height ? known : new Map(known).set(block, height),
    );
  useWanted(frame, lines, tops, wanted);
  const shown = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <div ref={frame}>
      <div style={{ height: `${tops[first] ?? 0}px` }} />
      {shown.map((block) => (
        <Block
          key={`${block} ${blockOf(lines, block)[0]?.id}`}
          block={block}
          lines={blockOf(lines, block)}
          repository={repository}
          root={root}
          wanted={wanted?.id}
          onHeight={measured}
        />
      ))}
      <div style={{ height: `${(tops.at(-1) ?? 0) - (tops[last + 1] ?? 0)}px` }} />
    </div>
  );
}

/** The first and last block around the window. */
function useBlocksInView(
  frame: React.RefObject<HTMLDivElement | null>,
  tops: readonly number[],
): [number, number] {
  const [view, setView] = useState<[number, number]>([0, 0]);
  useEffect(() => {
    const look = () => {
      const top = frame.current?.getBoundingClientRect().top ?? 0;
      const blocks = blocksBetween(tops, -top - AHEAD, window.innerHeight - top + AHEAD);
      setView((now) => (now[0] === blocks[0] && now[1] === blocks[1] ? now : blocks));
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [frame, tops]);
  const lastBlock = Math.max(tops.length - 2, 0);
  return [Math.min(view[0], lastBlock), Math.min(view[1], lastBlock)];
}

/** Scrolls to the block of a component, and to the component once it is drawn. */
function useWanted(
  frame: React.RefObject<HTMLDivElement | null>,
  lines: readonly Line[],
  tops: readonly number[],
  wanted: Props["wanted"],
): void {
  const shown = useRef(0);
  useLayoutEffect(() => {
    if (!wanted || shown.current === wanted.turn) return;
    const element = document.getElementById(`component-${wanted.id}`);
    if (element) {
      shown.current = wanted.turn;
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
      return;
    }
    const at = lines.findIndex(({ id }) => id === wanted.id);
    const top = frame.current?.getBoundingClientRect().top ?? 0;
    if (at >= 0)
      window.scrollTo({ top: window.scrollY + top + (tops[Math.floor(at / BLOCK)] ?? 0) });
  });
}

interface BlockProps {
  block: number;
  lines: Line[];
  repository: number;
  root: string;
  wanted: number | undefined;
  onHeight: (block: number, height: number) => void;
}

function Block({ block, lines, repository, root, wanted, onHeight }: BlockProps) {
  const element = useRef<HTMLDivElement>(null);
  const ids = lines.map(({ id }) => id);
  const { data, error, refetch } = useQuery({
    queryKey: [...ARCHIVES_KEY, "block", repository, ids],
    queryFn: () => listArchivalObjects(repository, ids, ["top_container"]),
    staleTime: 60_000,
  });
  const records = useMemo(() => new Map(data?.map((record) => [record.uri, record])), [data]);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const sizes = new ResizeObserver(() => onHeight(block, current.offsetHeight));
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [block, onHeight]);
  return (
    <div ref={element}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {lines.map((line) => (
        <Component
          key={line.id}
          line={line}
          record={records.get(archivalObjectAddress(repository, line.id))}
          page={componentPageOf(archivalObjectAddress(repository, line.id), root, repository)}
          isWanted={line.id === wanted}
        />
      ))}
    </div>
  );
}

interface ComponentProps {
  line: Line;
  /** What is known besides title and level; absent until it was read. */
  record: Description | undefined;
  page: string;
  isWanted: boolean;
}

function Component({ line, record, page, isWanted }: ComponentProps) {
  const { dates = [], extents = [], instances = [], notes = [] } = record ?? {};
  const title = plainText(record?.title ?? line.title) || plainText(line.title);
  const facts = [
    dates.map(dateInWords).join("; "),
    extents.map(extentInWords).join("; "),
    instances
      .map((one) => linkedTitle(one.sub_container?.top_container ?? one.digital_object))
      .join("; "),
  ].filter(Boolean);
  return (
    <article
      id={`component-${line.id}`}
      className={styles.component}
      tabIndex={-1}
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
        <span className={styles.detail}>
          {[...facts, inWords(line.level), ...marksOf(line)].join(" · ")}
        </span>
      </p>
      {notes.map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is the record's
        <NoteText key={at} note={note} />
      ))}
    </article>
  );
}

function marksOf({ publish, suppressed }: Line): string[] {
  return [...(publish ? [] : [t("not published")]), ...(suppressed ? [t("suppressed")] : [])];
}
