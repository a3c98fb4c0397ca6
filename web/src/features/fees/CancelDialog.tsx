import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelAccounts } from "../../api/fees";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import { patronKey } from "../patrons/queries";
import { useSession } from "../session/session";
import { commentsOf } from "./rules";
import type { FeeDialogProps } from "./SettleDialog";

/** Cancels fees that should not have been charged. */
export function CancelDialog({ userId, accounts, onClose, onDone }: FeeDialogProps) {
  const client = useQueryClient();
  const session = useSession();
  const cancel = useMutation({
    mutationFn: (comment: string) =>
      cancelAccounts(
        accounts.map(({ id }) => id),
        {
          comments: commentsOf(comment, "") ?? "",
          notifyPatron: false,
          servicePointId: session?.servicePoint?.id ?? "",
          userName: session?.username ?? "",
        },
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: patronKey(userId) });
      announce(t("Cancelled."));
      onDone();
    },
  });
  return (
    <FormDialog
      title={t("Cancel as error")}
      submitLabel={t("Cancel the fees")}
      isBusy={cancel.isPending}
      error={cancel.error}
      onSubmit={(form) => cancel.mutate(String(form.get("comment")))}
      onCancel={onClose}
    >
      <p>
        {t(
          "{count, plural, one {# fee is closed} other {# fees are closed}} as if never charged.",
          { count: accounts.length },
        )}
      </p>
      <TextField
        label={t("Comment for staff")}
        name="comment"
        isRequired
        autoFocus
        autoComplete="off"
        validate={(text) => (text.trim() ? null : t("Say what was wrong."))}
      />
    </FormDialog>
  );
}
