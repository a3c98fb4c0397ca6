import { now, type ZonedDateTime } from "@internationalized/date";
import { useState } from "react";
import type { RenewalOverride } from "../../api/loans";
import { t } from "../../lib/i18n";
import { DateField } from "../../ui/DateField";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { Reasons } from "../../ui/Notice";
import { useClock } from "../tenant/useClock";
import { titleOf } from "./loanColumns";
import type { LoanScan } from "./loanRun";
import { renewalBlocks, renewalOverrideOf } from "./renewalOverride";

interface Props {
  scan: LoanScan;
  onOverride: (blocks: RenewalOverride) => void;
  onCancel: () => void;
}

export function RenewalOverrideDialog({ scan, onOverride, onCancel }: Props) {
  const { timeZone } = useClock();
  const blocks = renewalBlocks(scan);
  const needsDate = blocks.includes("renewalDueDateRequiredBlock");
  const [due, setDue] = useState<ZonedDateTime | null>(() =>
    now(timeZone).add({ days: 1 }).set({ hour: 23, minute: 59, second: 0, millisecond: 0 }),
  );
  const { change } = scan.options;
  const submit = (form: FormData) => {
    const earlier = change.action === "renew" ? change.override : undefined;
    const comment = String(form.get("comment")).trim();
    onOverride(renewalOverrideOf(earlier, blocks, comment, due?.toAbsoluteString() ?? ""));
  };
  return (
    <FormDialog
      title={t("Override")}
      submitLabel={t("Renew")}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div>
        <p>{t("The renewal of {title} was refused:", { title: titleOf(scan.options.loan) })}</p>
        <Reasons error={scan.error} />
      </div>
      {needsDate && (
        <DateField
          label={t("Due date")}
          granularity="minute"
          hideTimeZone
          isRequired
          autoFocus
          minValue={now(timeZone)}
          value={due}
          onChange={setDue}
        />
      )}
      <TextField
        label={t("Comment")}
        name="comment"
        description={t("Kept with the loan.")}
        isRequired
        validate={(text) => (text.trim() ? null : t("Say why the renewal is allowed."))}
        autoFocus={!needsDate}
        autoComplete="off"
      />
    </FormDialog>
  );
}
