/** A whole finding aid as one page to scroll: its description, then all components with theirs. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { getWholeTree } from "../../../api/archives";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Checkbox } from "../../../ui/choices";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { ArchivesNav } from "../ArchivesNav";
import { pageOf, resourceAddress } from "../addresses";
import { ARCHIVES_KEY, record } from "../queries";
import { titleOf } from "../record/RecordPane";
import { identifierOf, RecordView } from "../record/RecordView";
import { usePageRepository } from "../useRepository";
import { Blocks } from "./Blocks";
import { FindInAid } from "./FindInAid";
import styles from "./FindingAid.module.css";
import { linesOf, published } from "./skeleton";

/** Titles and places of all components: what the length of the page is known from. */
const lines = (root: string) =>
  queryOptions({
    queryKey: [...ARCHIVES_KEY, "lines", root],
    queryFn: async () => linesOf(await getWholeTree(root)),
    staleTime: 60_000,
    structuralSharing: false,
  });

export default function FindingAidPage() {
  const repository = usePageRepository();
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const root = resourceAddress(repository, id);
  const resource = useQuery(record<Description>(root));
  const read = useQuery(lines(root));
  const [onlyPublished, setOnlyPublished] = useState(false);
  const [wanted, setWanted] = useState<{ id: number; turn: number }>();
  const shown = useMemo(
    () => (onlyPublished ? published(read.data ?? []) : (read.data ?? [])),
    [read.data, onlyPublished],
  );
  return (
    <Page
      title={resource.data ? titleOf(resource.data) : t("Finding aid")}
      subtitle={resource.data && identifierOf(resource.data)}
      parent={{ to: pageOf(root, repository), label: t("Resource with its tree") }}
      toolbar={
        <Checkbox
          label={t("As the public sees it")}
          isSelected={onlyPublished}
          onChange={setOnlyPublished}
        />
      }
    >
      <ArchivesNav open="resources" />
      <ProblemNotice error={resource.error} onRetry={() => void resource.refetch()} />
      {resource.data && <RecordView record={resource.data} repository={repository} />}
      <section className={styles.inventory} aria-labelledby="inventory">
        <h2 id="inventory">
          {read.data
            ? t("{count, plural, =0 {No components} one {# component} other {# components}}", {
                count: shown.length,
              })
            : t("Components")}
        </h2>
        <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />
        {!read.data && !read.error && <output>{t("Reading the components…")}</output>}
        {shown.length > 0 && (
          <>
            <FindInAid
              repository={repository}
              root={root}
              onFound={(id) => setWanted((now) => ({ id, turn: (now?.turn ?? 0) + 1 }))}
            />
            <Blocks repository={repository} root={root} lines={shown} wanted={wanted} />
          </>
        )}
      </section>
    </Page>
  );
}
