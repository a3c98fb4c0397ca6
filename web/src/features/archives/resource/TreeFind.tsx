/** Finds components anywhere in the tree, also in those parts that were not read yet. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { search } from "../../../api/archives";
import type { Found } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { DataTable } from "../../../ui/DataTable";
import { announce } from "../../../ui/LiveRegion";
import { listedPages } from "../../../ui/listing";
import { SearchField } from "../../../ui/SearchField";
import { ARCHIVES_KEY } from "../queries";
import styles from "../tree/Tree.module.css";
import type { TreeWork } from "../tree/treeWork";
import { inWords, plainText } from "../values";

interface Props {
  work: TreeWork;
  repository: number;
  onView: (uri: string) => void;
}

export const foundIn = (repository: number, root: string, q: string) =>
  infiniteQueryOptions({
    queryKey: [...ARCHIVES_KEY, "found-in", root, q],
    queryFn: ({ pageParam }) =>
      search(repository, {
        q,
        type: ["archival_object"],
        root_record: root,
        page: pageParam,
        page_size: 100,
        fields: ["title", "level"],
      }),
    initialPageParam: 1,
    getNextPageParam: ({ this_page, last_page }) =>
      this_page < last_page ? this_page + 1 : undefined,
    enabled: q !== "",
  });

export function TreeFind({ work, repository, onView }: Props) {
  const { root } = work.snapshot().tree;
  const [q, setQ] = useState("");
  const [at, setAt] = useState(-1);
  const query = useInfiniteQuery(foundIn(repository, root, q));
  const found = query.data?.pages.flatMap(({ results }) => results) ?? [];
  const total = query.data?.pages[0]?.total_hits ?? 0;
  const show = async (index: number) => {
    const uri = found[index]?.uri;
    if (uri === undefined) return;
    setAt(index);
    const isThere = await work.reveal(uri).catch(() => false);
    if (!isThere) return announce(t("This component is not in the tree any more."));
    work.change({ kind: "select", uris: [uri] });
    onView(uri);
  };
  const search = (text: string) => {
    setQ(text);
    setAt(-1);
  };
  return (
    <div className={styles.found}>
      <SearchField label={t("Find in this resource")} value={q} onSearch={search} />
      {q !== "" && (
        <>
          <div className={styles.tools}>
            <output>
              {query.data &&
                t(
                  "{total, plural, =0 {Nothing found} one {# component found} other {# components found}}",
                  {
                    total,
                  },
                )}
            </output>
            {total > 0 && (
              <>
                <Button
                  onPress={() => void show(at - 1)}
                  disabledReason={at > 0 ? undefined : t("This is the first one.")}
                >
                  {t("Previous")}
                </Button>
                <Button
                  onPress={() => void show(at + 1)}
                  disabledReason={at + 1 < found.length ? undefined : t("This is the last one.")}
                >
                  {t("Next")}
                </Button>
              </>
            )}
          </div>
          <Results query={query} found={found} onOpen={(index) => void show(index)} />
        </>
      )}
    </div>
  );
}

interface ResultsProps {
  query: Parameters<typeof listedPages<{ results: Found[] }, Found>>[0];
  found: Found[];
  onOpen: (index: number) => void;
}

function Results({ query, found, onOpen }: ResultsProps) {
  return (
    <DataTable<Found>
      label={t("Found components")}
      columns={[
        { id: "title", title: t("Title"), width: "2fr", cell: ({ title }) => plainText(title) },
        {
          id: "level",
          title: t("Level"),
          width: "1fr",
          cell: ({ level }) => inWords(String(level ?? "")),
        },
      ]}
      {...listedPages(query, ({ results }) => results)}
      idOf={({ uri }) => uri}
      onOpen={({ uri }) => onOpen(found.findIndex((one) => one.uri === uri))}
      maxHeight="13rem"
      empty={<p>{t("No component of this resource fits.")}</p>}
    />
  );
}
