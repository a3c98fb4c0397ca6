/** Which rows of a long list are drawn, and the room that is left for the others. */

export type RowKey = string | number;

/** Pixels of a row while no row has been measured. */
const GUESS = 48;

/** Pixels beyond the window for which rows are drawn, so that scrolling shows no gaps. */
const AHEAD = 600;

/** A row, and the one after another. */
export type Range = readonly [from: number, to: number];

/** The heights of the rows that were drawn. What was not drawn counts as the mean of the rows that were measured first. */
export class RowHeights {
  readonly #known = new Map<RowKey, number>();
  #width = 0;
  #usual = GUESS;

  /** Takes what was measured at a width; another width makes all earlier heights unknown. */
  measured(width: number, rows: readonly (readonly [RowKey, number])[]): void {
    if (width !== this.#width) this.#known.clear();
    this.#width = width;
    if (this.#known.size === 0 && rows.length > 0) {
      this.#usual = rows.reduce((sum, [, height]) => sum + height, 0) / rows.length;
    }
    for (const [key, height] of rows) this.#known.set(key, height);
  }

  /** The height of these rows together. */
  of(keys: readonly RowKey[]): number {
    return keys.reduce<number>((sum, key) => sum + this.#heightOf(key), 0);
  }

  /** The first row that reaches below `top`, and the one after the last that begins above `bottom`. */
  between(keys: readonly RowKey[], top: number, bottom: number): Range {
    let y = 0;
    let from = 0;
    let to = 0;
    for (const [n, key] of keys.entries()) {
      if (y < bottom) to = n + 1;
      y += this.#heightOf(key);
      if (y <= top) from = n + 1;
    }
    return [Math.min(from, to), to];
  }

  #heightOf(key: RowKey): number {
    return this.#known.get(key) ?? this.#usual;
  }
}

/**
 * The rows near a window from `top` to `bottom`. Those that were drawn stay while they suffice and are not far too many:
 * drawing others changes heights and with them where the window is, and that must never go on for ever.
 */
export function rowsNear(
  heights: RowHeights,
  keys: readonly RowKey[],
  top: number,
  bottom: number,
  drawn: Range,
): Range {
  const needed = heights.between(keys, top - AHEAD, bottom + AHEAD);
  const most = heights.between(keys, top - 2 * AHEAD, bottom + 2 * AHEAD);
  const suffice = drawn[0] <= needed[0] && needed[1] <= drawn[1];
  const areFew = most[0] <= drawn[0] && drawn[1] <= most[1];
  return suffice && areFew ? drawn : needed;
}

interface Wanted {
  count: number;
  /** The first row near the window. */
  from: number;
  /** The row after the last one near the window. */
  to: number;
  /** The row with the focus. */
  focused: number | undefined;
  /** Whether Tab stops in a row. */
  isStop: (row: number) => boolean;
}

/**
 * The rows near the window and the one with the focus; besides, every row that Tab or Shift Tab may go to from where it
 * is, from the window, or from outside the list: a browser finds only what is drawn.
 */
export function rowsToDraw({ count, from, to, focused, isStop }: Wanted): number[] {
  const rows = new Set<number>();
  const addStop = (start: number, step: 1 | -1) => {
    for (let row = start; row >= 0 && row < count; row += step) {
      if (isStop(row)) return rows.add(row);
    }
    return undefined;
  };
  for (let row = from; row < Math.min(to, count); row += 1) rows.add(row);
  addStop(0, 1);
  addStop(from - 1, -1);
  addStop(to, 1);
  addStop(count - 1, -1);
  if (focused !== undefined) {
    rows.add(focused);
    addStop(focused - 1, -1);
    addStop(focused + 1, 1);
  }
  return [...rows].sort((one, other) => one - other);
}
