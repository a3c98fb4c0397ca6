import type { ReactNode, Ref } from "react";
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
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

export function Description({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Text slot="description" className={styles.description ?? ""}>
      {children}
    </Text>
  );
}
