import { useMutation } from "@tanstack/react-query";
import { sendReceipt } from "../../api/mail";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import type { Slip } from "../slips/slip";
import type { SlipPrinter } from "../slips/useSlipPrinter";

interface Props {
  patron: User;
  receipt: Slip[];
  printer: SlipPrinter;
  onClose: () => void;
}

/** Sends the receipt of the patron's loans to their address, or to another. */
export default function MailDialog({ patron, receipt, printer, onClose }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (to: string) =>
      sendReceipt({ to, header: t("Your loans"), body: await printer.mailBody(receipt) }),
    onSuccess: (_, to) => {
      announce(t("The receipt was sent to {to}.", { to }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("E-mail receipt")}
      submitLabel={t("Send")}
      error={error}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get("to")).trim())}
      onCancel={onClose}
    >
      <p>
        {t("{count, plural, one {The receipt has # loan.} other {The receipt has # loans.}}", {
          count: receipt.length,
        })}
      </p>
      <TextField
        label={t("E-mail address")}
        name="to"
        type="email"
        defaultValue={patron.personal?.email ?? ""}
        {...(!patron.personal?.email && {
          description: t("The patron's record has no e-mail address."),
        })}
        isRequired
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
