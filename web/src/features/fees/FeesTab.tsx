/** What a patron owes, and the actions on it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Account, Movement } from "../../api/fees";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DataTable } from "../../ui/DataTable";
import { listed } from "../../ui/listing";
import styles from "../loans/Loans.module.css";
import { useSession } from "../session/session";
import { useClock } from "../tenant/useClock";
import { CancelDialog } from "./CancelDialog";
import { ChargeDialog } from "./ChargeDialog";
import { FeeHistory } from "./FeeHistory";
import { feeColumns } from "./feeColumns";
import { formatMoney } from "./money";
import { feesOf } from "./queries";
import { ACTIONS, type FeeAction, isOpen, owed, whyNot } from "./rules";
import { SettleDialog } from "./SettleDialog";
import { useCurrency } from "./useCurrency";

type Shown = "open" | "closed" | "all";

const NO_ACCOUNTS: readonly Account[] = [];
const NO_MOVEMENTS: readonly Movement[] = [];

export function FeesTab({ userId }: { userId: string }) {
  const query = useQuery(feesOf(userId));
  const [shown, setShown] = useState<Shown>("open");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<FeeAction | "charge">();
  const [opened, setOpened] = useState<string>();
  const clock = useClock();
  const currency = useCurrency();
  const place = useSession()?.servicePoint;
  const { accounts = NO_ACCOUNTS, movements = NO_MOVEMENTS } = query.data ?? {};
  const visible = accounts.filter((fee) => shown === "all" || isOpen(fee) === (shown === "open"));
  const selected = visible.filter(({ id }) => chosen.has(id));
  const account = accounts.find(({ id }) => id === opened);
  const noPlace = place ? undefined : t("Choose a service point first, above at the right.");
  const close = () => setAsking(undefined);
  const done = () => {
    setChosen(new Set());
    close();
  };
  const dialog = { userId, accounts: selected, movements, onClose: close, onDone: done };
  return (
    <div className={styles.loans}>
      <p>{t("Owed: {amount}", { amount: formatMoney(owed(accounts), currency) })}</p>
      <div className={styles.bar}>
        <Button
          look={selected.length === 0 ? "primary" : "plain"}
          needs="POST /accounts"
          disabledReason={noPlace}
          onPress={() => setAsking("charge")}
        >
          {t("Charge a fee…")}
        </Button>
        {ACTIONS.map((action) => {
          const why = whyNot(action, selected, movements);
          return (
            <Button
              key={action}
              needs={`POST /accounts-bulk/${action}`}
              disabledReason={why ? t(why) : noPlace}
              onPress={() => setAsking(action)}
            >
              {actionLabels()[action]}
            </Button>
          );
        })}
      </div>
      <SelectField
        label={t("Show")}
        options={[
          { id: "open", label: t("Open fees") },
          { id: "closed", label: t("Closed fees") },
          { id: "all", label: t("All fees") },
        ]}
        value={shown}
        onChange={(id) => setShown(id as Shown)}
      />
      <DataTable
        label={t("Fees")}
        {...listed(query, () => visible)}
        columns={feeColumns(clock, currency)}
        selection={{ chosen, onChange: setChosen }}
        onOpen={({ id }) => setOpened(id)}
        empty={<p>{shown === "open" ? t("Nothing is owed.") : t("No fees.")}</p>}
      />
      {account && <FeeHistory account={account} movements={movements} />}
      {asking === "charge" && <ChargeDialog userId={userId} onClose={close} />}
      {asking === "cancel" && <CancelDialog {...dialog} />}
      {asking && asking !== "charge" && asking !== "cancel" && (
        <SettleDialog {...dialog} action={asking} />
      )}
    </div>
  );
}

const actionLabels = (): Record<FeeAction, string> => ({
  pay: t("Pay…"),
  waive: t("Waive…"),
  refund: t("Refund…"),
  transfer: t("Transfer…"),
  cancel: t("Cancel as error…"),
});
