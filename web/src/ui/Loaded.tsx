/** A page about one record: until the record is there, the page says so, or why it does not come. */
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { RefusedError } from "../api/errors";
import { t } from "../lib/i18n";
import { Page } from "./Page";
import { ProblemNotice } from "./ProblemNotice";

interface Props<T> {
  query: UseQueryResult<T | null>;
  /** The title until the record's own is known. */
  title: string;
  parent: { to: string; label: string };
  /** What to say when there is no such record. */
  missing: string;
  children: (record: T) => ReactNode;
}

const NOT_FOUND = 404;

/** What was read once stays while it is read again, for instance after signing in again. */
export function Loaded<T>({ query, title, parent, missing, children }: Props<T>) {
  const { data, error } = query;
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const record = data ?? last;
  if (record !== undefined && record !== null) return children(record);
  const isMissing =
    record === null || (error instanceof RefusedError && error.status === NOT_FOUND);
  return (
    <Page title={title} parent={parent}>
      {isMissing ? <p>{missing}</p> : null}
      {!isMissing && error ? (
        <ProblemNotice error={error} onRetry={() => void query.refetch()} />
      ) : null}
      {!isMissing && !error && <p>{t("Loading…")}</p>}
    </Page>
  );
}
