/** The lists of a repository: search, facets, and pages that load on scrolling. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Found } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { DataTable, type TableColumn } from "../../../ui/DataTable";
import { Facets } from "../../../ui/Facets";
import { listedPages } from "../../../ui/listing";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { SearchField } from "../../../ui/SearchField";
import styles from "../Archives.module.css";
import { ArchivesNav, RepositoryField } from "../ArchivesNav";
import { numberOf } from "../addresses";
import { found } from "../queries";
import { repositoryName, useChosenRepository } from "../useRepository";
import { inWords, plainText } from "../values";
import { FirstRepository } from "./FirstRepository";
import { cellText, foundPage, KINDS, type Kind } from "./kinds";
import { ListActions } from "./ListActions";
import { facetsOf, type ListState, listStateOf, searchOf } from "./search";

export default function ListPage() {
  const { current, error, refetch, data } = useChosenRepository();
  if (current)
    return (
      <List key={current.uri} repository={numberOf(current.uri)} name={repositoryName(current)} />
    );
  return (
    <Page title={t("Archives")}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {data && <FirstRepository />}
    </Page>
  );
}

function List({ repository, name }: { repository: number; name: string }) {
  const navigate = useNavigate();
  const state = listStateOf(useSearch({ strict: false }) as Record<string, unknown>);
  const kind = KINDS[state.kind];
  const query = useInfiniteQuery(found(repository, state));
  const [first] = query.data?.pages ?? [];
  const show = (changes: Partial<ListState>) =>
    void navigate({ to: "/archives", search: searchOf({ ...state, ...changes }) as never });
  return (
    <Page
      title={t(kind.label)}
      subtitle={first ? t("{name}: {count} found", { name, count: first.total_hits }) : name}
      toolbar={<ListActions repository={repository} kind={state.kind} />}
      aside={
        <Facets
          facets={facetsOf(state, first).map((facet) => ({ ...facet, title: t(facet.title) }))}
          chosen={state.filters}
          onChange={(facet, values) => show({ filters: { ...state.filters, [facet]: values } })}
        />
      }
      asideAt="start"
    >
      <ArchivesNav open={state.kind} />
      <div className={styles.row}>
        <div className={styles.grow}>
          <SearchField label={t("Search")} value={state.q} onSearch={(q) => show({ q })} />
        </div>
        <RepositoryField />
      </div>
      <DataTable
        label={t(kind.label)}
        columns={columnsOf(kind)}
        {...listedPages(query, (page) => page.results)}
        idOf={({ uri }) => uri}
        hrefOf={(row) => foundPage(row, repository)}
        sort={state.sort}
        onSort={(sort) => show({ sort })}
        empty={<Empty state={state} onClear={() => show({ q: "", filters: {} })} />}
      />
    </Page>
  );
}

function columnsOf({ columns }: Kind): TableColumn<Found>[] {
  return columns.map((column, at) => ({
    id: column.id,
    title: t(column.title),
    sorts: column.sortField !== undefined,
    isSecondary: column.isSecondary ?? false,
    width: at === 0 ? "2fr" : "1fr",
    cell: (row) =>
      at === 0 ? <Title row={row} text={cellText(column, row)} /> : inWords(cellText(column, row)),
  }));
}

function Title({ row, text }: { row: Found; text: string }) {
  return (
    <>
      {plainText(text) || t("Without a title")}{" "}
      {row.suppressed && <Badge tone="notice">{t("Suppressed")}</Badge>}
    </>
  );
}

function Empty({ state, onClear }: { state: ListState; onClear: () => void }) {
  const isNarrowed = state.q !== "" || Object.keys(state.filters).length > 0;
  if (!isNarrowed) return <p>{t("There are none in this repository yet.")}</p>;
  return (
    <>
      <p>{t("Nothing fits the search.")}</p>
      <Button onPress={onClear}>{t("Search for everything")}</Button>
    </>
  );
}
