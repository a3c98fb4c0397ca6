/** A record to read and, in the same place, to edit. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { AnyRecord } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { kindOf } from "../addresses";
import { record as recordOf } from "../queries";
import { useMay } from "../useRepository";
import { plainText } from "../values";
import { hasChangedDrafts, keepDraft, useDraft } from "./drafts";
import styles from "./Record.module.css";
import { RecordEditor } from "./RecordEditor";
import { RecordView } from "./RecordView";

interface Props {
  uri: string;
  repository: number;
  /** What else can be done with the record. */
  actions?: (record: AnyRecord) => ReactNode;
  onSaved?: () => void;
}

export function RecordPane({ uri, repository, actions, onSaved }: Props) {
  const query = useQuery(recordOf<AnyRecord>(uri));
  const draft = useDraft(uri);
  useWarningBeforeLeaving();
  const { data: record } = query;
  if (!record && !draft) {
    if (query.error)
      return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
    return <p>{t("Loading…")}</p>;
  }
  if (draft) {
    return <RecordEditor uri={uri} repository={repository} draft={draft} onSaved={onSaved} />;
  }
  return record && <Reading record={record} repository={repository} actions={actions} />;
}

interface ReadingProps {
  record: AnyRecord;
  repository: number;
  actions: ((record: AnyRecord) => ReactNode) | undefined;
}

function Reading({ record, repository, actions }: ReadingProps) {
  const may = useMay(repository);
  const permission = PERMISSIONS[kindOf(record.uri)] ?? "";
  return (
    <>
      <h2 className={styles.heading}>{titleOf(record)}</h2>
      <div className={styles.tools}>
        <Button
          onPress={() => keepDraft(record.uri, { base: record, mine: record })}
          disabledReason={whyNotEdit(record, may(permission))}
        >
          {t("Edit")}
        </Button>
        {actions?.(record)}
        {record.suppressed && <Badge tone="notice">{t("Suppressed")}</Badge>}
      </div>
      <RecordView record={record} repository={repository} />
    </>
  );
}

/** What a user needs to change each kind of record. */
export const PERMISSIONS: Record<string, string> = {
  resources: "update_resource_record",
  archival_objects: "update_resource_record",
  accessions: "update_accession_record",
  digital_objects: "update_digital_object_record",
  top_containers: "update_container_record",
  agents: "update_agent_record",
  subjects: "update_subject_record",
};

function whyNotEdit(record: AnyRecord, isAllowed: boolean): string | undefined {
  if (!isAllowed) return t("You may not do this here. Whoever manages users can allow it.");
  return record.suppressed
    ? t("A suppressed record cannot be changed. Take that back first.")
    : undefined;
}

export function titleOf(record: AnyRecord): string {
  const { display_string, title } = record;
  return plainText(display_string ?? title) || t("Without a title");
}

/** The browser asks before a page with changes is closed. */
function useWarningBeforeLeaving(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasChangedDrafts()) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
}
