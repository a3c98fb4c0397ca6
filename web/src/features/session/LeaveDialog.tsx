import { t } from "../../lib/i18n";
import { ConfirmDialog } from "../../ui/ConfirmDialog";

interface Props {
  unanswered: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before unanswered scans are dropped. */
export default function LeaveDialog({ unanswered, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      title={t("Scans are waiting")}
      confirmLabel={t("Drop the scans")}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {t(
        "{unanswered, plural, one {# of your scans has} other {# of your scans have}} no answer yet. If you leave now, they are dropped: these items are not checked out or in.",
        { unanswered },
      )}
    </ConfirmDialog>
  );
}
