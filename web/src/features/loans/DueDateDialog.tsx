import { fromDate, now, type ZonedDateTime } from "@internationalized/date";
import { useState } from "react";
import type { Loan } from "../../api/types";
import { type Clock, parseInstant } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { DateField } from "../../ui/DateField";
import { FormDialog } from "../../ui/FormDialog";
import { useClock } from "../tenant/useClock";
import { titleOf } from "./loanColumns";
import type { LoanChange } from "./loanRun";

interface Props {
  loans: readonly Loan[];
  /** Why the last attempt failed. */
  error?: unknown;
  isBusy?: boolean;
  onSend: (change: Extract<LoanChange, { action: "dueDate" }>) => void;
  onCancel: () => void;
}

export function DueDateDialog({ loans, error, isBusy = false, onSend, onCancel }: Props) {
  const clock = useClock();
  const [dueDate, setDueDate] = useState<ZonedDateTime | null>(() => dueOf(loans[0], clock));
  return (
    <FormDialog
      title={t("Change due date")}
      submitLabel={t("Change due date")}
      error={error}
      isBusy={isBusy}
      onSubmit={() => dueDate && onSend({ action: "dueDate", dueDate: dueDate.toAbsoluteString() })}
      onCancel={onCancel}
    >
      <p>
        {loans.length === 1 && loans[0]
          ? titleOf(loans[0])
          : t("{count, plural, one {This concerns # loan.} other {This concerns # loans.}}", {
              count: loans.length,
            })}
      </p>
      <DateField
        label={t("Due date")}
        granularity="minute"
        hideTimeZone
        isRequired
        autoFocus
        value={dueDate}
        onChange={setDueDate}
      />
    </FormDialog>
  );
}

function dueOf(loan: Loan | undefined, { timeZone }: Clock): ZonedDateTime {
  const due = loan?.dueDate ? parseInstant(loan.dueDate) : undefined;
  return due ? fromDate(due, timeZone) : now(timeZone);
}
