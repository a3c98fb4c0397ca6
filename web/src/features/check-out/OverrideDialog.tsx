import { now, type ZonedDateTime } from "@internationalized/date";
import { useState } from "react";
import type { OverrideBlocks } from "../../api/types";
import type { Clock } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { DateField } from "../../ui/DateField";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { Reasons } from "../../ui/Notice";
import type { DeskScan } from "../desk/scan";
import { overridableBlocks, overrideOf } from "./override";

interface Props {
  scan: DeskScan;
  clock: Clock;
  onOverride: (blocks: OverrideBlocks) => void;
  onCancel: () => void;
}

export function OverrideDialog({ scan, clock, onOverride, onCancel }: Props) {
  const [dueDate, setDueDate] = useState<ZonedDateTime | null>(() => endOfToday(clock));
  const blocks = overridableBlocks(scan.error);
  const needsDueDate = blocks.includes("itemNotLoanableBlock");
  const submit = (form: FormData) => {
    const comment = String(form.get("comment")).trim();
    onOverride(overrideOf(blocks, comment, dueDate?.toAbsoluteString() ?? ""));
  };
  return (
    <FormDialog
      title={t("Override")}
      submitLabel={t("Check out")}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div>
        <p>{t("The check-out of {barcode} was refused:", { barcode: scan.barcode })}</p>
        <Reasons error={scan.error} />
      </div>
      {needsDueDate && (
        <DateField
          label={t("Due date")}
          granularity="minute"
          hideTimeZone
          isRequired
          autoFocus
          minValue={now(clock.timeZone)}
          value={dueDate}
          onChange={setDueDate}
        />
      )}
      <TextField
        label={t("Comment")}
        name="comment"
        description={t("Kept with the loan.")}
        isRequired
        validate={(text) => (text.trim() ? null : t("Say why the check-out is allowed."))}
        autoFocus={!needsDueDate}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function endOfToday({ timeZone }: Clock): ZonedDateTime {
  return now(timeZone).set({ hour: 23, minute: 59, second: 0, millisecond: 0 });
}
