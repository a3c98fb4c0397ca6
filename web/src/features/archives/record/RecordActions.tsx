/** Publishing, suppressing and deleting. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteRecord, setPublished, setSuppressed } from "../../../api/archives";
import type { AnyRecord } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { announce } from "../../../ui/LiveRegion";
import { MenuButton, MenuItem } from "../../../ui/Menu";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { kindOf } from "../addresses";
import { ARCHIVES_KEY } from "../queries";
import { useMay } from "../useRepository";
import { PERMISSIONS, titleOf } from "./RecordPane";

interface Props {
  record: AnyRecord;
  repository: number;
  /** The number of records that would go with it. */
  below?: number;
  onDeleted: () => void;
  onChanged?: () => void;
}

const PUBLISHED = ["resources", "archival_objects"];
const SUPPRESSED = ["resources", "archival_objects", "accessions", "digital_objects"];
/** What is needed to delete what is no description. */
const DELETES: Record<string, string> = {
  agents: "delete_agent_record",
  subjects: "delete_subject_record",
  top_containers: "manage_container_record",
};

export function RecordActions({ record, repository, below = 0, onDeleted, onChanged }: Props) {
  const client = useQueryClient();
  const may = useMay(repository);
  const [isDeleting, setDeleting] = useState(false);
  const { uri } = record;
  const kind = kindOf(uri);
  const acting = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ARCHIVES_KEY });
      announce(t("Done."));
      onChanged?.();
    },
  });
  const deleting = useMutation({ mutationFn: () => deleteRecord(uri), onSuccess: onDeleted });
  const reason = (permission: string) =>
    may(permission)
      ? undefined
      : t("You may not do this here. Whoever manages users can allow it.");
  const item = (label: string, permission: string, action: () => Promise<unknown>) => (
    <MenuItem onAction={() => acting.mutate(action)} disabledReason={reason(permission)}>
      {label}
    </MenuItem>
  );
  return (
    <>
      <MenuButton label={t("More")}>
        {PUBLISHED.includes(kind) &&
          item(t("Publish with all below"), PERMISSIONS[kind] ?? "", () => setPublished(uri, true))}
        {PUBLISHED.includes(kind) &&
          item(t("Take back from the public, with all below"), PERMISSIONS[kind] ?? "", () =>
            setPublished(uri, false),
          )}
        {SUPPRESSED.includes(kind) &&
          item(
            record.suppressed ? t("Do not suppress any more") : t("Suppress"),
            "suppress_archival_record",
            () => setSuppressed(uri, !record.suppressed),
          )}
        <MenuItem
          onAction={() => setDeleting(true)}
          disabledReason={reason(DELETES[kind] ?? "delete_archival_record")}
        >
          {t("Delete…")}
        </MenuItem>
      </MenuButton>
      <ProblemNotice error={acting.error} />
      {isDeleting && (
        <ConfirmDialog
          title={t("Delete “{title}”?", { title: titleOf(record) })}
          confirmLabel={t("Delete")}
          isBusy={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onCancel={() => setDeleting(false)}
        >
          <p>
            {below > 0
              ? t(
                  "The {below, plural, one {# record} other {# records}} directly below it and all that is below them are deleted with it. This cannot be undone.",
                  { below },
                )
              : t("This cannot be undone.")}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
