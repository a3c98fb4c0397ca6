import type { ReactNode } from "react";
import { reasonsInWords } from "../lib/wording";
import styles from "./Notice.module.css";

interface Props {
  look: "warning" | "danger";
  /** `alert` for something that just happened; none for a permanent notice. */
  role?: "alert";
  children: ReactNode;
}

export function Notice({ look, role, children }: Props) {
  return (
    <div className={`${styles.notice} ${styles[look]}`} {...(role && { role })}>
      {children}
    </div>
  );
}

/** All reasons of an error. */
export function Reasons({ error }: { error: unknown }) {
  const reasons = reasonsInWords(error);
  if (reasons.length === 1) return <p>{reasons[0]}</p>;
  return (
    <ul className={styles.list}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
