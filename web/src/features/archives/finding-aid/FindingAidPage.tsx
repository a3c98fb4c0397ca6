/** A whole finding aid as one page to scroll: its description, then all components with theirs. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { useStore } from "../../../lib/store";
import { Checkbox } from "../../../ui/choices";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { ArchivesNav } from "../ArchivesNav";
import { pageOf, resourceAddress } from "../addresses";
import { record } from "../queries";
import { titleOf } from "../record/RecordPane";
import { identifierOf, RecordView } from "../record/RecordView";
import { childCount } from "../tree/model";
import type { TreeWork } from "../tree/treeWork";
import { useReadTree } from "../tree/useTreeWork";
import { usePageRepository } from "../useRepository";
import { Components } from "./Components";
import { FindInAid } from "./FindInAid";
import styles from "./FindingAid.module.css";

export default function FindingAidPage() {
  const repository = usePageRepository();
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const root = resourceAddress(repository, id);
  const resource = useQuery(record<Description>(root));
  const [onlyPublished, setOnlyPublished] = useState(false);
  const read = useReadTree(root, onlyPublished);
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
        <h2 id="inventory">{t("Components")}</h2>
        <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />
        {!read.data && !read.error && <output>{t("Reading the components…")}</output>}
        {read.data && (
          <Inventory key={String(onlyPublished)} work={read.data} repository={repository} />
        )}
      </section>
    </Page>
  );
}

function Inventory({ work, repository }: { work: TreeWork; repository: number }) {
  const { tree } = useStore(work);
  const [wanted, setWanted] = useState<{ id: number; turn: number }>();
  if (childCount(tree, tree.root) === 0) return <p>{t("No components.")}</p>;
  return (
    <>
      <FindInAid
        repository={repository}
        root={tree.root}
        onFound={(id) => setWanted((now) => ({ id, turn: (now?.turn ?? 0) + 1 }))}
      />
      <Components work={work} repository={repository} wanted={wanted} />
    </>
  );
}
