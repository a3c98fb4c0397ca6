import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import type { Call } from "../api/permissions";
import { useWhyNot } from "../lib/may";
import { Button } from "./Button";
import styles from "./controls.module.css";

interface Props {
  href: string;
  look?: "plain" | "primary" | "quiet";
  /** The call that the page behind the link makes; users who may not make it get the reason. */
  needs?: Call | undefined;
  children: ReactNode;
}

/** A link to a page where something is done, such as a form, with the look of a button. */
export function LinkButton({ href, look = "plain", needs, children }: Props) {
  const reason = useWhyNot(needs);
  const className = [styles.button, look !== "plain" && styles[look]].filter(Boolean).join(" ");
  if (reason !== undefined) {
    return (
      <Button look={look} disabledReason={reason}>
        {children}
      </Button>
    );
  }
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  );
}
