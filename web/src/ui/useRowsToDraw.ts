import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { useIsPrinting } from "../lib/useIsPrinting";
import { type Range, RowHeights, type RowKey, rowsNear, rowsToDraw } from "./rowsToDraw";

/** The rows that are drawn before anything is known of the window. */
const AT_FIRST: Range = [0, 20];

interface Drawn {
  row: number;
  /** Pixels of the rows before it that are not drawn. */
  above: number;
  /** Pixels of the rows after the last one. */
  below: number;
}

/**
 * The rows of a list to draw while the page is scrolled: its children are these rows, in this order. Rows keep their place
 * on the screen while others above them come, grow or get their true height: browsers see to that, as long as the list
 * itself has nothing that changes. So the room for the rows that are not drawn is in margins of rows.
 */
export function useRowsToDraw(
  list: RefObject<HTMLElement | null>,
  keys: readonly RowKey[],
  isStop: (row: number) => boolean,
) {
  const isPrinting = useIsPrinting();
  // Only of rows that are drawn does it learn anything, so that a change is never one to draw.
  const [heights] = useState(() => new RowHeights());
  const [near, setNear] = useState({ range: AT_FIRST, width: 0 });
  const [focusedKey, setFocusedKey] = useState<RowKey>();
  const focused = focusedKey === undefined ? -1 : keys.indexOf(focusedKey);
  const rows = isPrinting
    ? [...keys.keys()]
    : rowsToDraw({
        ...{ count: keys.length, from: near.range[0], to: near.range[1] },
        focused: focused === -1 ? undefined : focused,
        isStop,
      });

  const look = useEffectEvent(() => {
    const element = list.current;
    if (!element) return;
    const { top, width } = element.getBoundingClientRect();
    const children = [...element.children];
    const measured = rows.map(
      (row, at) => [keys[row] ?? row, children[at]?.getBoundingClientRect().height ?? 0] as const,
    );
    heights.measured(width, measured);
    setNear((now) => {
      const range = rowsNear(heights, keys, -top, window.innerHeight - top, now.range);
      return now.range === range && now.width === width ? now : { range, width };
    });
  });
  useLayoutEffect(() => look());
  useEffect(() => {
    // Not only the window may scroll.
    const options = { capture: true, passive: true };
    document.addEventListener("scroll", look, options);
    window.addEventListener("resize", look);
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    if (list.current) sizes.observe(list.current);
    return () => {
      document.removeEventListener("scroll", look, options);
      window.removeEventListener("resize", look);
      sizes.disconnect();
    };
  }, [list]);

  const onFocus = ({ currentTarget, target }: FocusEvent) => {
    const at = [...currentTarget.children].findIndex((child) => child.contains(target));
    setFocusedKey(keys[rows[at] ?? -1]);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // When the whole window loses the focus, the row keeps it.
    const stays = [relatedTarget, document.activeElement].some(
      (element) => element instanceof Node && currentTarget.contains(element),
    );
    if (!stays) setFocusedKey(undefined);
  };
  return { drawn: withRoom(rows, keys, heights), onFocus, onBlur };
}

function withRoom(rows: readonly number[], keys: readonly RowKey[], heights: RowHeights): Drawn[] {
  const last = rows.length - 1;
  return rows.map((row, at) => ({
    row,
    above: heights.of(keys.slice((rows[at - 1] ?? -1) + 1, row)),
    below: at === last ? heights.of(keys.slice(row + 1)) : 0,
  }));
}
