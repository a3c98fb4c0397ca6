import type { Account, Movement } from "../../api/fees";
import { formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { Section } from "../../ui/Detail";
import styles from "../patrons/Patrons.module.css";
import { useClock } from "../tenant/useClock";
import { feeName, money } from "./feeColumns";
import { historyOf } from "./rules";
import { useCurrency } from "./useCurrency";

/** What happened to a fee, the last first. */
export function FeeHistory({
  account,
  movements,
}: {
  account: Account;
  movements: readonly Movement[];
}) {
  const clock = useClock();
  const currency = useCurrency();
  const history = historyOf(account, movements);
  return (
    <Section title={t("History of {fee}", { fee: feeName(account) })}>
      <ul className={styles.list}>
        {history.map((movement) => (
          <li key={movement.id} className={styles.entry}>
            <div>
              <strong>{fixed("feeMovement", movement.typeAction)}</strong>{" "}
              {[movement.paymentMethod, movement.transactionInformation]
                .filter(Boolean)
                .join(" · ")}
              <div className={styles.muted}>
                {[
                  movement.dateAction && formatDateTime(movement.dateAction, clock),
                  movement.source,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </div>
              {movement.comments && <div>{movement.comments}</div>}
            </div>
            <div>
              {movement.amountAction !== undefined && money(movement.amountAction, currency)}
              {movement.balance !== undefined && (
                <div className={styles.muted}>
                  {t("then owed: {amount}", { amount: money(movement.balance, currency) })}
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
