/** A list of the catalogue in its order: subjects, contributors or call numbers. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type BrowseRow, browse } from "../../api/catalogue";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DataTable, type TableColumn } from "../../ui/DataTable";
import { listedPages } from "../../ui/listing";
import { Page } from "../../ui/Page";
import { SearchField } from "../../ui/SearchField";
import { useReferences } from "../records/references";
import { CatalogueTabs } from "./CatalogueTabs";
import styles from "./catalogue.module.css";
import { afterQuery, aroundQuery, type BrowseList, beforeQuery, LISTS, listOf } from "./lists";
import { CATALOGUE } from "./queries";
import { addressOf, readSearch } from "./search";

const PAGE = 60;

export default function BrowsePage() {
  const { list: id = "" } = useParams({ strict: false }) as { list?: string };
  const list = listOf(id) ?? (LISTS[0] as BrowseList);
  const address = useSearch({ strict: false }) as { q?: unknown; option?: string };
  const text = address.q === undefined ? "" : String(address.q);
  const option = address.option ?? "all";
  const navigate = useNavigate();
  const go = (text: string, option: string) =>
    void navigate({
      to: "/catalogue/browse/$list",
      params: { list: list.id },
      search: { ...(text && { q: text }), ...(option !== "all" && { option }) } as never,
    });
  return (
    <Page title={t(list.title)} parent={{ to: "/catalogue", label: t("Catalogue") }}>
      <CatalogueTabs open={list.id} />
      <search className={styles.search}>
        <div className={styles.words}>
          <SearchField
            label={t("Go to")}
            value={text}
            onSearch={(text) => go(text, option)}
            autoFocus
          />
        </div>
        {list.options && (
          <SelectField
            label={t("Scheme")}
            options={list.options.map(({ id, label }) => ({ id, label: t(label) }))}
            value={option}
            onChange={(option) => go(text, option)}
          />
        )}
      </search>
      <Rows key={`${list.id} ${option} ${text}`} list={list} option={option} text={text} />
    </Page>
  );
}

interface RowsProps {
  list: BrowseList;
  option: string;
  text: string;
}

function Rows({ list, option, text }: RowsProps) {
  const [start, setStart] = useState(() => aroundQuery(list, text));
  const navigate = useNavigate();
  const { nameOf } = useReferences([list.types]);
  const query = useInfiniteQuery({
    queryKey: [...CATALOGUE, "browse", list.id, option, start],
    queryFn: ({ pageParam }) => browse(list.path, pageParam, PAGE, list.options && option),
    initialPageParam: start,
    getNextPageParam: ({ next }) => (next === undefined ? undefined : afterQuery(list, next)),
  });
  const previous = query.data?.pages[0]?.prev;
  const open = (row: BrowseRow) => {
    if (row.totalRecords === 0) return;
    const search = { ...readSearch({}), ...list.searchOf(row) };
    void navigate({ to: "/catalogue", search: addressOf(search) as never });
  };
  return (
    <div className={styles.column}>
      {previous !== undefined && (
        <div>
          <Button onPress={() => setStart(beforeQuery(list, previous))}>
            {t("What comes before")}
          </Button>
        </div>
      )}
      <DataTable
        label={t(list.title)}
        columns={columns(list, nameOf)}
        {...listedPages(query, ({ items }) => items)}
        idOf={(row) => idOf(list, row)}
        onOpen={open}
        empty={t("The list has no rows.")}
      />
    </div>
  );
}

/** A text can stand in several rows: with other types, sources or authorities. */
function idOf(list: BrowseList, row: BrowseRow): string {
  return [row[list.member], row[list.type], row.typeId, row.authorityId, row.callNumberPrefix]
    .map((part) => String(part ?? ""))
    .join("|");
}

function columns(
  list: BrowseList,
  nameOf: (from: BrowseList["types"], id: string) => string,
): TableColumn<BrowseRow>[] {
  const all: TableColumn<BrowseRow>[] = [
    {
      id: "text",
      title: t(list.title),
      width: "3fr",
      cell: (row) => (
        <span className={row.isAnchor ? styles.anchor : undefined}>
          {String(row[list.member])}
          {row.totalRecords === 0 && ` – ${t("would be here")}`}
        </span>
      ),
    },
    {
      id: "type",
      title: list.types === "subject-sources" ? t("Source") : t("Type"),
      isSecondary: true,
      cell: (row) => (row[list.type] ? nameOf(list.types, String(row[list.type])) : ""),
    },
    {
      id: "title",
      title: t("Title"),
      isSecondary: true,
      width: "2fr",
      cell: ({ instanceTitle }) => String(instanceTitle ?? ""),
    },
    {
      id: "count",
      title: t("Titles"),
      width: 110,
      align: "end",
      cell: ({ totalRecords }) => String(totalRecords),
    },
  ];
  return all.filter(({ id }) => id !== "title" || list.id === "call-numbers");
}
