import { type RefObject, useEffect, useState } from "react";

/** Rows drawn above and below those in view, so that scrolling shows no gaps. */
const MARGIN = 8;

/** The first row to draw in a scrolling frame, and the one after the last. */
export function useVisibleRows(
  frame: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): [number, number] {
  const [window, setWindow] = useState<[number, number]>([0, 40]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = () => {
      const first = Math.floor(element.scrollTop / height);
      const rows = Math.ceil(element.clientHeight / height);
      setWindow((now) =>
        now[0] === first && now[1] === first + rows ? now : [first, first + rows],
      );
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [frame, height]);
  return [Math.max(window[0] - MARGIN, 0), Math.min(window[1] + MARGIN, count)];
}
