import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import styles from "./controls.module.css";

interface Props extends Omit<ButtonProps, "className" | "children"> {
  look?: "plain" | "primary" | "quiet";
  /** The keyboard shortcut, e.g. `Alt+1`. */
  keys?: string;
  children: ReactNode;
}

export function Button({ look = "plain", keys, children, ...props }: Props) {
  const className = [styles.button, look !== "plain" && styles[look]].filter(Boolean).join(" ");
  return (
    <AriaButton {...props} className={className}>
      {children}
      {keys && <Keys>{keys}</Keys>}
    </AriaButton>
  );
}

/** For the eye only; assistive technology reads `aria-keyshortcuts`. */
export function Keys({ children }: { children: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {children}
    </span>
  );
}
