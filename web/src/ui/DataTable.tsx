/** A table of any length: columns are data, only the rows on the screen are drawn, the next page loads on scrolling. */
import type { ReactNode } from "react";
import {
  Cell,
  Checkbox,
  Column,
  type Key,
  Row,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  useTableOptions,
  Virtualizer,
} from "react-aria-components";
import { t } from "../lib/i18n";
import { useDensity } from "../lib/look";
import { useIsNarrow } from "../lib/useIsNarrow";
import { Box } from "./choices";
import styles from "./DataTable.module.css";
import type { Listing } from "./listing";
import { ProblemNotice } from "./ProblemNotice";

export interface TableColumn<T> {
  id: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** The column that names the row to a screen reader; the first one unless another is marked. */
  isRowHeader?: boolean;
  /** A share such as `2fr`, or pixels; `1fr` without it. */
  width?: `${number}fr` | number;
  minWidth?: number;
  sorts?: boolean;
  align?: "end";
  /** Left out on a narrow screen; the row's own page shows it. */
  isSecondary?: boolean;
}

export interface Sort {
  column: string;
  direction: "ascending" | "descending";
}

export interface TableSelection {
  /** The ids of the chosen rows. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: Set<string>) => void;
  mode?: "single" | "multiple";
}

interface Props<T extends object> extends Listing<T> {
  label: string;
  columns: readonly TableColumn<T>[];
  /** `id` without it. */
  idOf?: (row: T) => string;
  /** The page of a row; a click or Enter follows it. */
  hrefOf?: (row: T) => string;
  /** Instead of a page: what a click or Enter does. */
  onOpen?: (row: T) => void;
  selection?: TableSelection;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** What to say, and perhaps to do, when there are no rows. */
  empty: ReactNode;
  /** The greatest height, for a table that is only a part of its page. */
  maxHeight?: string;
}

export function DataTable<T extends object>(props: Props<T>) {
  const { label, rows = [], isLoading, error, onRetry, empty, sort, onSort, selection } = props;
  const height = useRowHeight();
  const columns = useShownColumns(props.columns);
  const isEmpty = rows.length === 0;
  if (error && isEmpty) return <ProblemNotice error={error} {...(onRetry && { onRetry })} />;
  if (isEmpty && isLoading) return <Placeholder label={label} height={height} />;
  if (isEmpty) return <div className={styles.empty}>{empty}</div>;
  return (
    <div className={styles.frame}>
      <Virtualizer
        layout={TableLayout}
        layoutOptions={{ rowHeight: height, headingHeight: height }}
      >
        <Table
          aria-label={label}
          className={styles.table ?? ""}
          // Room for the heading and the rows.
          style={{
            height: `${(rows.length + 1) * height + 2}px`,
            ...(props.maxHeight && { maxHeight: props.maxHeight }),
          }}
          {...(sort && { sortDescriptor: sort as SortDescriptor })}
          onSortChange={({ column, direction }) => onSort?.({ column: String(column), direction })}
          {...(selection && selectionProps(selection, rows.map(idGetter(props))))}
        >
          <Head columns={columns} />
          <Body {...props} columns={columns} />
        </Table>
      </Virtualizer>
      {isLoading && (
        <div role="status" className={styles.more}>
          {t("Loading…")}
        </div>
      )}
      {error && !isEmpty ? <ProblemNotice error={error} {...(onRetry && { onRetry })} /> : null}
    </div>
  );
}

/**
 * Until the first rows are there. React Aria's own row for that has a level, which only rows of trees may have, so it is
 * not used here nor below the rows.
 */
function Placeholder({ label, height }: { label: string; height: number }) {
  return (
    <div className={styles.placeholder} style={{ height: `${height * 4}px` }} aria-busy="true">
      <p role="status" className={styles.more}>
        <span className="visually-hidden">{label}: </span>
        {t("Loading…")}
      </p>
    </div>
  );
}

function Head<T>({ columns }: { columns: readonly TableColumn<T>[] }) {
  const { selectionBehavior } = useTableOptions();
  return (
    <TableHeader className={styles.header ?? ""}>
      {selectionBehavior === "toggle" && (
        <Column width={44} minWidth={44} className={styles.column ?? ""}>
          <ChooseRow />
        </Column>
      )}
      {columns.map(({ id, title, width, minWidth, sorts, isRowHeader, align }) => (
        <Column
          key={id}
          id={id}
          isRowHeader={isRowHeader ?? false}
          allowsSorting={sorts ?? false}
          {...(width !== undefined && { width })}
          minWidth={minWidth ?? 90}
          className={styles.column ?? ""}
          data-align={align}
        >
          {({ allowsSorting, sortDirection }) => (
            <>
              {title}
              {allowsSorting && (
                <span aria-hidden="true">
                  {sortDirection ? (sortDirection === "ascending" ? " ▲" : " ▼") : " ↕"}
                </span>
              )}
            </>
          )}
        </Column>
      ))}
    </TableHeader>
  );
}

function Body<T extends object>(props: Props<T>) {
  const { columns, rows = [], onMore, hrefOf, onOpen } = props;
  const { selectionBehavior } = useTableOptions();
  const idOf = idGetter(props);
  return (
    <TableBody>
      {rows.map((row) => (
        <Row
          key={idOf(row)}
          id={idOf(row)}
          className={styles.row ?? ""}
          {...(hrefOf && { href: hrefOf(row) })}
          {...(onOpen && { onAction: () => onOpen(row) })}
        >
          {selectionBehavior === "toggle" && (
            <Cell className={styles.cell ?? ""}>
              <ChooseRow />
            </Cell>
          )}
          {columns.map(({ id, cell, align }) => (
            <Cell key={id} className={styles.cell ?? ""} data-align={align}>
              {cell(row)}
            </Cell>
          ))}
        </Row>
      ))}
      {onMore && <TableLoadMoreItem onLoadMore={onMore} />}
    </TableBody>
  );
}

function ChooseRow() {
  return (
    <Checkbox slot="selection" className={styles.choose ?? ""}>
      {({ isSelected, isIndeterminate }) => <Box isOn={isSelected} isPartly={isIndeterminate} />}
    </Checkbox>
  );
}

function selectionProps({ chosen, onChange, mode = "multiple" }: TableSelection, ids: string[]) {
  return {
    selectionMode: mode,
    selectionBehavior: "toggle" as const,
    selectedKeys: chosen as Iterable<Key>,
    onSelectionChange: (keys: Selection) =>
      onChange(new Set(keys === "all" ? ids : [...keys].map(String))),
  };
}

function idGetter<T extends object>({ idOf }: Props<T>): (row: T) => string {
  return idOf ?? ((row) => String((row as { id?: unknown }).id));
}

/** The columns for this width, of which one names the rows. */
function useShownColumns<T>(columns: readonly TableColumn<T>[]): TableColumn<T>[] {
  const isNarrow = useIsNarrow();
  const shown = columns.filter(({ isSecondary }) => !(isSecondary && isNarrow));
  const header = shown.find(({ isRowHeader }) => isRowHeader) ?? shown[0];
  return shown.map((column) => ({ ...column, isRowHeader: column === header }));
}

/** In pixels, as the layout counts, from the size of the user's text. */
function useRowHeight(): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return Math.round(rem * (useDensity() === "compact" ? 2 : 2.75));
}
