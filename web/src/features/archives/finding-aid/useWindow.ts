/** Which lines of a finding aid to draw, and the page's scroll position, which stays right while lines get their heights. */
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Anchor, anchorAt, type Layout, lineAt, topOf, waypointsBetween } from "./lines";

/** Pixels beyond the window for which lines are drawn. */
const AHEAD = 1200;

interface View {
  /** The top of the window below the first line, when the anchor was set; negative above it. */
  y: number;
  anchor: Anchor | undefined;
}

type Frame = RefObject<HTMLElement | null>;

export function useWindow(
  frame: Frame,
  layout: Layout,
  setHeights: (change: (known: ReadonlyMap<string, number>) => ReadonlyMap<string, number>) => void,
) {
  const [view, setView] = useState<View>({ y: 0, anchor: undefined });
  const y = heightNow(layout, view);
  const look = useEffectEvent(() => {
    const now = -(frame.current?.getBoundingClientRect().top ?? 0);
    setView({ y: now, anchor: anchorAt(layout, now) });
  });
  useEffect(() => {
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, []);
  useHeights(frame, setHeights);
  useSteady(view, y);
  const [from, to] = [y - AHEAD, y + window.innerHeight + AHEAD];
  return {
    first: lineAt(layout, from),
    last: lineAt(layout, to),
    waypoints: (size: number) => waypointsBetween(layout, from, to, size),
    /** Scrolls to where a component will be drawn. */
    show: ({ parent, position }: { parent: string; position: number }) => {
      const below = topOf(layout, parent, position) ?? 0;
      const top = frame.current?.getBoundingClientRect().top ?? 0;
      window.scrollTo({ top: window.scrollY + top + below - window.innerHeight / 2 });
    },
  };
}

function heightNow(layout: Layout, { y, anchor }: View): number {
  const top = anchor && topOf(layout, anchor.parent, anchor.position);
  return anchor && top !== undefined ? top + anchor.above : y;
}

/** Scrolls by what the lines above the anchor have grown. */
function useSteady(view: View, y: number): void {
  const before = useRef({ view, y });
  useLayoutEffect(() => {
    const grown = y - (before.current.view === view ? before.current.y : view.y);
    before.current = { view, y };
    if (Math.abs(grown) >= 1) window.scrollBy({ top: grown, behavior: "instant" });
  }, [view, y]);
}

/** Measures what was drawn, before it is painted; another width makes all heights unknown. */
function useHeights(frame: Frame, setHeights: Parameters<typeof useWindow>[2]): void {
  useLayoutEffect(() => {
    setHeights((known) => {
      const changed = [...measured(frame.current)].filter(
        ([uri, height]) => Math.abs((known.get(uri) ?? 0) - height) >= 0.5,
      );
      return changed.length > 0 ? new Map([...known, ...changed]) : known;
    });
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let width = element.clientWidth;
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      setHeights(() => new Map());
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [frame, setHeights]);
}

function* measured(frame: HTMLElement | null): Generator<[string, number]> {
  for (const child of frame?.children ?? []) {
    if (child instanceof HTMLElement && child.dataset.uri) {
      yield [child.dataset.uri, child.getBoundingClientRect().height];
    }
  }
}
