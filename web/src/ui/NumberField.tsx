import type { ReactNode } from "react";
import {
  NumberField as AriaNumberField,
  FieldError,
  Input,
  Label,
  type NumberFieldProps,
} from "react-aria-components";
import styles from "./controls.module.css";
import { Description } from "./fields";

interface Props extends Omit<NumberFieldProps, "className" | "children"> {
  label: string;
  description?: ReactNode;
}

/** A number in the user's notation; `formatOptions` for money and units. Apart from `fields.tsx`: the desk loads that first. */
export function NumberField({ label, description, ...props }: Props) {
  return (
    <AriaNumberField {...props} className={styles.field ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      <div className={styles.number}>
        <Input className={styles.input ?? ""} />
      </div>
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
    </AriaNumberField>
  );
}
