/** Asks how much is paid, waived, refunded or transferred, and how. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ConnectionLostError } from "../../api/errors";
import { type Account, type Movement, SETTLE, type Settlement } from "../../api/fees";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import { patronKey } from "../patrons/queries";
import { useSession } from "../session/session";
import { MoneyField } from "./MoneyField";
import { centsOf, decimalOf, formatMoney } from "./money";
import { means, namesFor } from "./queries";
import { commentsOf, type FeeAction, mostFor } from "./rules";
import { useCurrency } from "./useCurrency";

export interface FeeDialogProps {
  userId: string;
  accounts: readonly Account[];
  movements: readonly Movement[];
  onClose: () => void;
  onDone: () => void;
}

export function SettleDialog(props: FeeDialogProps & { action: Exclude<FeeAction, "cancel"> }) {
  const { userId, accounts, movements, action, onClose, onDone } = props;
  const client = useQueryClient();
  const session = useSession();
  const currency = useCurrency();
  const { data: ways } = useQuery(means(action));
  const names = namesFor(
    ways ?? [],
    accounts.map(({ ownerId }) => ownerId),
  );
  const most = mostFor(action, accounts, movements);
  const words = WORDS[action]();
  const readAgain = () => client.invalidateQueries({ queryKey: patronKey(userId) });
  const settle = useMutation({
    mutationFn: (body: Settlement) =>
      SETTLE[action](
        accounts.map(({ id }) => id),
        body,
      ),
    onSuccess: ({ amount }) => {
      void readAgain();
      const moved = formatMoney(centsOf(amount) ?? 0n, currency);
      announce(`${words.done} ${moved}`);
      onDone();
    },
    onError: () => void readAgain(),
  });
  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    const comments = commentsOf(text("staff"), text("patron"));
    settle.mutate({
      amount: decimalOf(centsOf(text("amount")) ?? 0n),
      paymentMethod: text("means"),
      notifyPatron: form.has("notify"),
      servicePointId: session?.servicePoint?.id ?? "",
      userName: session?.username ?? "",
      ...(comments && { comments }),
      ...(text("transaction") && { transactionInfo: text("transaction") }),
    });
  };
  if (!ways) return null; // a list without its values could not be opened
  return (
    <FormDialog
      title={words.title}
      submitLabel={words.title}
      isBusy={settle.isPending}
      error={settle.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      {settle.error instanceof ConnectionLostError && (
        <p>
          {t(
            "The server may have done it all the same: look at what remains before you repeat it.",
          )}
        </p>
      )}
      <p>
        {t("{count, plural, one {# fee} other {# fees}}, at most {most}.", {
          count: accounts.length,
          most: formatMoney(most, currency),
        })}
      </p>
      <MoneyField
        label={t("Amount")}
        name="amount"
        defaultValue={decimalOf(most)}
        most={most}
        autoFocus
      />
      <SelectField
        label={words.means}
        name="means"
        options={names.map((name) => ({ id: name, label: name }))}
        defaultValue={names.length === 1 ? names[0] : undefined}
        isRequired
        {...(names.length === 0 && { description: t("The library has defined none.") })}
      />
      {action === "pay" && (
        <TextField label={t("Transaction information")} name="transaction" autoComplete="off" />
      )}
      <TextField label={t("Comment for staff")} name="staff" autoComplete="off" />
      <Checkbox name="notify" label={t("Tell the patron")} />
      <TextField label={t("Comment for the patron")} name="patron" autoComplete="off" />
    </FormDialog>
  );
}

const WORDS = {
  pay: () => ({ title: t("Pay"), done: t("Paid:"), means: t("Payment method") }),
  waive: () => ({ title: t("Waive"), done: t("Waived:"), means: t("Reason for waiving") }),
  refund: () => ({ title: t("Refund"), done: t("Refunded:"), means: t("Reason for the refund") }),
  transfer: () => ({
    title: t("Transfer"),
    done: t("Transferred:"),
    means: t("Transfer account"),
  }),
};
