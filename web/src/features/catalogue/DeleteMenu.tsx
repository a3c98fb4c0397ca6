import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { deleteRecord, type RecordPath } from "../../api/records";
import { t } from "../../lib/i18n";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { announce } from "../../ui/LiveRegion";
import { MenuButton, MenuItem } from "../../ui/Menu";
import { CATALOGUE } from "./queries";

const PATHS = {
  instance: "/inventory/instances",
  holdings: "/holdings-storage/holdings",
  item: "/inventory/items",
} as const satisfies Record<string, RecordPath>;

interface Props {
  kind: keyof typeof PATHS;
  id: string;
  name: string;
  disabledReason?: string | undefined;
  /** The page to go to when the record is gone. */
  goTo: string;
}

/** The menu of what is done seldom: deleting. */
export function DeleteMenu({ kind, id, name, disabledReason, goTo }: Props) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const router = useRouter();
  const deleting = useMutation({
    mutationFn: () => deleteRecord(PATHS[kind], id),
    onSuccess: async () => {
      announce(t("Deleted."));
      setAsking(false);
      await router.navigate({ href: goTo });
      await client.invalidateQueries({ queryKey: CATALOGUE });
    },
  });
  return (
    <>
      <MenuButton label={t("More")}>
        <MenuItem
          needs={`DELETE ${PATHS[kind]}/{id}`}
          onAction={() => setAsking(true)}
          disabledReason={disabledReason}
        >
          {t("Delete")}
        </MenuItem>
      </MenuButton>
      {isAsking && (
        <ConfirmDialog
          title={t("Delete {name}?", { name })}
          confirmLabel={t("Delete")}
          isBusy={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>{t("This cannot be undone.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
