import type { ReactNode } from "react";
import {
  Button as AriaButton,
  type ButtonProps,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";
import type { Call } from "../api/permissions";
import { keysInWords } from "../lib/keys";
import { useWhyNot } from "../lib/may";
import styles from "./controls.module.css";
import { announce } from "./LiveRegion";

interface Props extends Omit<ButtonProps, "className" | "children"> {
  look?: "plain" | "primary" | "quiet";
  /** The keyboard shortcut, of `lib/keys.ts`. */
  keys?: string;
  /** Why the button does nothing now; shown when it is reached and said when it is pressed. */
  disabledReason?: string | undefined;
  /** The call that the button leads to; it is not offered to users who may not make it. */
  needs?: Call | undefined;
  children: ReactNode;
}

export function Button({ look = "plain", keys, needs, children, ...props }: Props) {
  const { disabledReason, ...rest } = props;
  const reason = useWhyNot(needs) ?? disabledReason;
  const className = [styles.button, look !== "plain" && styles[look]].filter(Boolean).join(" ");
  const content = (
    <>
      {children}
      {keys && <Keys>{keysInWords(keys)}</Keys>}
    </>
  );
  if (reason === undefined) {
    return (
      <AriaButton {...rest} className={className}>
        {content}
      </AriaButton>
    );
  }
  // It keeps its place in the tab order, because a reason that cannot be reached helps nobody.
  return (
    <TooltipTrigger delay={200}>
      <AriaButton
        {...rest}
        type="button"
        className={className}
        aria-disabled="true"
        onPress={() => announce(reason)}
      >
        {content}
      </AriaButton>
      <Tooltip className={styles.reason ?? ""}>{reason}</Tooltip>
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
