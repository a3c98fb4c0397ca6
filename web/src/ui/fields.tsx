import type { ReactNode, Ref } from "react";
import {
  NumberField as AriaNumberField,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  type NumberFieldProps,
  Text,
  type TextFieldProps,
} from "react-aria-components";
import styles from "./controls.module.css";

interface TextProps extends Omit<TextFieldProps, "className" | "children"> {
  label: string;
  description?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({ label, description, inputRef, ...props }: TextProps) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      <Input className={styles.input ?? ""} {...(inputRef && { ref: inputRef })} />
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
    </AriaTextField>
  );
}

interface AreaProps extends Omit<TextProps, "inputRef"> {
  rows?: number;
}

/** Text of several lines. */
export function TextArea({ label, description, rows = 4, ...props }: AreaProps) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      <AriaTextArea className={styles.input ?? ""} rows={rows} />
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
    </AriaTextField>
  );
}

interface NumberProps extends Omit<NumberFieldProps, "className" | "children"> {
  label: string;
  description?: ReactNode;
}

/** A number in the user's notation; `formatOptions` for money and units. */
export function NumberField({ label, description, ...props }: NumberProps) {
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

export function Description({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Text slot="description" className={styles.description ?? ""}>
      {children}
    </Text>
  );
}
