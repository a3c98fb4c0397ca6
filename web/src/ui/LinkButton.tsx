import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import styles from "./controls.module.css";

interface Props {
  href: string;
  look?: "plain" | "primary" | "quiet";
  children: ReactNode;
}

/** A link to a page where something is done, such as a form, with the look of a button. */
export function LinkButton({ href, look = "plain", children }: Props) {
  const className = [styles.button, look !== "plain" && styles[look]].filter(Boolean).join(" ");
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  );
}
