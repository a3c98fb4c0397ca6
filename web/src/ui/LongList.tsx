/**
 * A list of any length that scrolls with its page: only the rows near the window are drawn, each as high as it wants to be,
 * whatever rows are drawn beside it.
 */
import { type ReactNode, useRef } from "react";
import styles from "./LongList.module.css";
import type { RowKey } from "./rowsToDraw";
import { useRowsToDraw } from "./useRowsToDraw";

interface Props<T> {
  label: string;
  rows: readonly T[];
  keyOf: (row: T, place: number) => RowKey;
  className: string | undefined;
  rowProps: (row: T) => { className: string | undefined; "data-state"?: string };
  /** Whether the keyboard stops in a row: it has a button or a link. */
  isStop?: (row: T) => boolean;
  children: (row: T) => ReactNode;
}

export function LongList<T>({ label, rows, keyOf, className, rowProps, ...props }: Props<T>) {
  const { isStop, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const keys = rows.map(keyOf);
  const stops: boolean[] = [];
  const { drawn, onFocus, onBlur } = useRowsToDraw(list, keys, (at) => {
    const row = rows[at];
    stops[at] ??= row !== undefined && isStop?.(row) === true;
    return stops[at];
  });
  return (
    <ol
      ref={list}
      aria-label={label}
      className={[styles.list, className].join(" ")}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {drawn.map(({ row: at, above, below }) => {
        const row = rows[at];
        return (
          row !== undefined && (
            <li
              key={keys[at]}
              aria-posinset={at + 1}
              aria-setsize={rows.length}
              style={{ marginTop: above, marginBottom: below }}
              {...rowProps(row)}
            >
              {children(row)}
            </li>
          )
        );
      })}
    </ol>
  );
}
