import type { ReactNode } from "react";
import {
  Button as AriaButton,
  type ButtonProps,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";
import styles from "./controls.module.css";
import { announce } from "./LiveRegion";

interface Props extends Omit<ButtonProps, "className" | "children"> {
  look?: "plain" | "primary" | "quiet";
  /** The keyboard shortcut, e.g. `Alt+1`. */
  keys?: string;
  /** Why the button does nothing now; shown when it is reached and said when it is pressed. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

export function Button({ look = "plain", keys, disabledReason, children, ...props }: Props) {
  const className = [styles.button, look !== "plain" && styles[look]].filter(Boolean).join(" ");
  const content = (
    <>
      {children}
      {keys && <Keys>{keys}</Keys>}
    </>
  );
  if (disabledReason === undefined) {
    return (
      <AriaButton {...props} className={className}>
        {content}
      </AriaButton>
    );
  }
  // It keeps its place in the tab order, because a reason that cannot be reached helps nobody.
  return (
    <TooltipTrigger delay={200}>
      <AriaButton
        {...props}
        type="button"
        className={className}
        aria-disabled="true"
        onPress={() => announce(disabledReason)}
      >
        {content}
      </AriaButton>
      <Tooltip className={styles.reason ?? ""}>{disabledReason}</Tooltip>
    </TooltipTrigger>
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
