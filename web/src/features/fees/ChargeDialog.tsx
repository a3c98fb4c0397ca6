import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../lib/i18n";
import { newId } from "../../lib/newId";
import { Checkbox, SelectField } from "../../ui/choices";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import { patronKey } from "../patrons/queries";
import { useSession } from "../session/session";
import { type Charge, chargeFee, ownerAt, typesOf } from "./charge";
import { MoneyField } from "./MoneyField";
import { centsOf, decimalOf } from "./money";
import { feeSettings } from "./queries";
import { commentsOf } from "./rules";

/** Asks whom the patron owes what. */
export function ChargeDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const client = useQueryClient();
  const session = useSession();
  const servicePointId = session?.servicePoint?.id ?? "";
  const { data } = useQuery(feeSettings);
  const owners = data?.owners ?? [];
  const [id] = useState(newId);
  const [ownerId, setOwnerId] = useState<string>();
  const [typeId, setTypeId] = useState<string>();
  const owner = owners.find((o) => o.id === ownerId) ?? ownerAt(servicePointId, owners);
  const types = typesOf(owner, data?.types ?? []);
  const type = types.find((each) => each.id === typeId);
  const charge = useMutation({
    mutationFn: chargeFee,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: patronKey(userId) });
      announce(t("The fee was charged."));
      onClose();
    },
  });
  const submit = (form: FormData) => {
    const cents = centsOf(String(form.get("amount")));
    if (!owner || !type || cents === undefined) return;
    const text = (name: string) => String(form.get(name) ?? "");
    const notify = form.has("notify");
    const comments = commentsOf(text("staff"), text("patron"));
    const source = session?.username ?? "";
    const made: Charge = { id, userId, owner, type, cents, notify, servicePointId, source };
    charge.mutate({ ...made, comments });
  };
  if (!data) return null; // a list without its values could not be opened
  return (
    <FormDialog
      title={t("Charge a fee")}
      submitLabel={t("Charge")}
      isBusy={charge.isPending}
      error={charge.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <SelectField
        label={t("Owner")}
        options={owners.map((o) => ({ id: o.id, label: o.owner ?? o.id }))}
        value={owner?.id ?? null}
        onChange={setOwnerId}
        isRequired
        autoFocus
      />
      <SelectField
        label={t("Fee type")}
        name="type"
        options={types.map((each) => ({ id: each.id, label: each.feeFineType }))}
        value={type?.id ?? null}
        onChange={setTypeId}
        isRequired
        {...(owner &&
          types.length === 0 && { description: t("This owner has no types that staff charge.") })}
      />
      <MoneyField
        key={type?.id ?? "none"}
        label={t("Amount")}
        name="amount"
        defaultValue={decimalOf(centsOf(type?.defaultAmount) ?? 0n)}
      />
      <TextField label={t("Comment for staff")} name="staff" autoComplete="off" />
      <Checkbox name="notify" label={t("Tell the patron")} />
      <TextField label={t("Comment for the patron")} name="patron" autoComplete="off" />
    </FormDialog>
  );
}
