/** The buttons above the open loans. Renewing asks nothing; the others ask in a dialog. */
import { useState } from "react";
import type { Call } from "../../api/permissions";
import type { Loan } from "../../api/types";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { MenuButton, MenuItem } from "../../ui/Menu";
import { DueDateDialog } from "./DueDateDialog";
import { LoanDialog } from "./LoanDialog";
import styles from "./Loans.module.css";
import type { LoanChange } from "./loanRun";
import { type LoanAction, possibleFor, whyNotLoans } from "./rules";

interface Props {
  /** The selected loans. */
  loans: readonly Loan[];
  hasServicePoint: boolean;
  onSend: (change: LoanChange) => void;
}

const CALLS = {
  renew: "POST /circulation/renew-by-id",
  dueDate: "POST /circulation/loans/{id}/change-due-date",
  claim: "POST /circulation/loans/{id}/claim-item-returned",
  lost: "POST /circulation/loans/{id}/declare-item-lost",
  missing: "POST /circulation/loans/{id}/declare-claimed-returned-item-as-missing",
} as const satisfies Record<LoanAction, Call>;

export function LoanActions({ loans, hasServicePoint, onSend }: Props) {
  const [asking, setAsking] = useState<Exclude<LoanAction, "renew">>();
  const reason = (action: LoanAction): string | undefined => {
    const why = whyNotLoans(action, loans);
    if (why) return t(why);
    if (action === "dueDate" || action === "missing" || hasServicePoint) return undefined;
    return t("Choose a service point first, above at the right.");
  };
  const send = (change: LoanChange) => {
    setAsking(undefined);
    onSend(change);
  };
  const possible = asking ? possibleFor(asking, loans) : [];
  const close = () => setAsking(undefined);
  return (
    <div className={styles.bar}>
      <Button
        look="primary"
        needs={CALLS.renew}
        disabledReason={reason("renew")}
        onPress={() => send({ action: "renew" })}
      >
        {t("Renew")}
      </Button>
      <Button
        needs={CALLS.dueDate}
        disabledReason={reason("dueDate")}
        onPress={() => setAsking("dueDate")}
      >
        {t("Change due date…")}
      </Button>
      <MenuButton label={t("More")}>
        <MenuItem
          needs={CALLS.claim}
          disabledReason={reason("claim")}
          onAction={() => setAsking("claim")}
        >
          {t("Claim returned…")}
        </MenuItem>
        <MenuItem
          needs={CALLS.lost}
          disabledReason={reason("lost")}
          onAction={() => setAsking("lost")}
        >
          {t("Declare lost…")}
        </MenuItem>
        <MenuItem
          needs={CALLS.missing}
          disabledReason={reason("missing")}
          onAction={() => setAsking("missing")}
        >
          {t("Declare missing…")}
        </MenuItem>
      </MenuButton>
      <output>
        {loans.length > 0 &&
          t("{count, plural, one {# loan selected} other {# loans selected}}", {
            count: loans.length,
          })}
      </output>
      {asking === "dueDate" && <DueDateDialog loans={possible} onSend={send} onCancel={close} />}
      {asking && asking !== "dueDate" && (
        <LoanDialog
          action={asking}
          loans={possible}
          left={loans.length - possible.length}
          onSend={send}
          onCancel={close}
        />
      )}
    </div>
  );
}
