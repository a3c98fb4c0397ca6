import { useBlocker } from "@tanstack/react-router";
import { t } from "../../lib/i18n";
import { ConfirmDialog } from "../../ui/ConfirmDialog";

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={t("Leave without saving?")}
      confirmLabel={t("Leave the page")}
      onConfirm={blocker.proceed}
      onCancel={blocker.reset}
    >
      <p>{t("What you changed on this page would be lost.")}</p>
    </ConfirmDialog>
  );
}
