/** A resource: its tree of components, and beside it the record that is chosen there. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { useSeen } from "../../../lib/seen";
import { announce } from "../../../ui/LiveRegion";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { ArchivesNav } from "../ArchivesNav";
import { archivalObjectAddress, kindOf, numberOf, pageOf, resourceAddress } from "../addresses";
import { ARCHIVES_KEY, record } from "../queries";
import { RecordActions } from "../record/RecordActions";
import { RecordPane, titleOf } from "../record/RecordPane";
import { identifierOf } from "../record/RecordView";
import { childCount } from "../tree/model";
import { placeOf } from "../tree/rows";
import styles from "../tree/Tree.module.css";
import type { TreeWork } from "../tree/treeWork";
import { useTreeWork } from "../tree/useTreeWork";
import { usePageRepository } from "../useRepository";
import { AddComponent } from "./AddComponent";
import { ExportMenu } from "./ExportMenu";
import { TreePanel } from "./TreePanel";

export default function ResourcePage() {
  const repository = usePageRepository();
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const root = resourceAddress(repository, id);
  return <Resource key={root} repository={repository} root={root} />;
}

function Resource({ repository, root }: { repository: number; root: string }) {
  const navigate = useNavigate();
  const tree = useTreeWork(root);
  const { component } = useSearch({ strict: false }) as { component?: string | number };
  const shown = component === undefined ? root : archivalObjectAddress(repository, component);
  const resource = useQuery(record<Description>(root)).data;
  const view = (uri: string) => {
    const search = uri === root ? {} : { component: numberOf(uri) };
    void navigate({ to: ".", search: search as never, replace: false, resetScroll: false });
  };
  const title = resource ? titleOf(resource) : t("Resource");
  useSeen(pageOf(root, repository), resource && title);
  return (
    <Page
      title={title}
      subtitle={resource && identifierOf(resource)}
      toolbar={<ExportMenu repository={repository} root={root} />}
    >
      <ArchivesNav open="resources" />
      <ProblemNotice
        error={tree.error}
        title={t("The tree could not be read.")}
        onRetry={() => void tree.refetch()}
      />
      {!tree.data && !tree.error && <p>{t("Loading…")}</p>}
      {tree.data && (
        <WithTree
          work={tree.data}
          repository={repository}
          root={root}
          shown={shown}
          title={title}
          onView={view}
        />
      )}
    </Page>
  );
}

interface Props {
  work: TreeWork;
  repository: number;
  root: string;
  /** The record in the pane. */
  shown: string;
  title: string;
  onView: (uri: string) => void;
}

function WithTree({ work, repository, root, shown, title, onView }: Props) {
  const client = useQueryClient();
  const router = useRouter();
  const isFirst = useRef(true);
  // A link to a component opens the way to it; later the tree itself says what is shown.
  useEffect(() => {
    if (isFirst.current && shown !== root) void work.reveal(shown).catch(() => undefined);
    isFirst.current = false;
  }, [work, shown, root]);

  const forget = (uri: string) => {
    const next = work.snapshot().tree.nodes.get(uri)?.parent ?? root;
    announce(t("Deleted."));
    if (uri === root) {
      void client.invalidateQueries({ queryKey: ARCHIVES_KEY });
      void router.navigate({ href: "/archives" });
      return;
    }
    work.change({ kind: "drop", uri });
    onView(next);
    client.removeQueries({ queryKey: record(uri).queryKey });
    void client.invalidateQueries({ queryKey: ARCHIVES_KEY });
  };
  return (
    <div className={styles.columns}>
      <TreePanel
        work={work}
        repository={repository}
        label={t("Components of {title}", { title })}
        shown={shown}
        onView={onView}
      />
      <section className={styles.pane} aria-label={t("Record")}>
        <RecordPane
          key={shown}
          uri={shown}
          repository={repository}
          onSaved={() => void refreshRow(work, shown)}
          actions={(read) => (
            <>
              <AddComponent record={read} root={root} work={work} onAdded={onView} />
              <RecordActions
                record={read}
                repository={repository}
                below={childCount(work.snapshot().tree, read.uri)}
                onDeleted={() => forget(read.uri)}
                onChanged={() => void refreshRow(work, read.uri)}
              />
            </>
          )}
        />
      </section>
    </div>
  );
}

/** Reads the row of a changed record again. */
async function refreshRow(work: TreeWork, uri: string): Promise<void> {
  if (kindOf(uri) === "resources") return work.reload();
  const { tree } = work.snapshot();
  const place = placeOf(tree, uri);
  if (place) await work.read(place.parent, Math.floor(place.position / tree.waypointSize));
}
