import type { DateValue } from "@internationalized/date";
import type { ReactNode } from "react";
import {
  DateField as AriaDateField,
  type DateFieldProps,
  DateInput,
  DateSegment,
  FieldError,
  Label,
} from "react-aria-components";
import styles from "./controls.module.css";
import { Description } from "./fields";

interface DateProps<T extends DateValue> extends Omit<DateFieldProps<T>, "className" | "children"> {
  label: string;
  description?: ReactNode;
}

/** A date typed part by part, so that no calendar takes staff away from the keyboard. */
export function DateField<T extends DateValue>({ label, description, ...props }: DateProps<T>) {
  return (
    <AriaDateField {...props} className={styles.field ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      <DateInput className={styles.dateInput ?? ""}>
        {(segment) => <DateSegment segment={segment} className={styles.segment ?? ""} />}
      </DateInput>
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
    </AriaDateField>
  );
}
