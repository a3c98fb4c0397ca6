/** The rows of a table or list and how they arrive. */
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";

export interface Listing<T> {
  /** Absent until the first rows have come. */
  rows?: readonly T[] | undefined;
  isLoading?: boolean;
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** Loads the next page; absent when there is none. */
  onMore?: (() => void) | undefined;
}

/** For `DataTable`, from a query that answers with all rows: `<DataTable {...listed(query, (data) => data.items)}`. */
export function listed<Data, T>(
  query: UseQueryResult<Data>,
  rowsOf: (data: Data) => readonly T[],
): Listing<T> {
  return {
    rows: query.data === undefined ? undefined : rowsOf(query.data),
    isLoading: query.isFetching && query.data === undefined,
    error: query.error,
    onRetry: () => void query.refetch(),
  };
}

/** The same from an infinite query, page after page. */
export function listedPages<Page, T>(
  query: UseInfiniteQueryResult<InfiniteData<Page>>,
  rowsOf: (page: Page) => readonly T[],
): Listing<T> {
  const { data, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, error, refetch } =
    query;
  const more = () => {
    if (!isFetching) void fetchNextPage();
  };
  return {
    rows: data?.pages.flatMap(rowsOf),
    isLoading: isFetchingNextPage || (isFetching && data === undefined),
    error,
    onRetry: () => void (data ? fetchNextPage() : refetch()),
    onMore: hasNextPage && !error ? more : undefined,
  };
}
