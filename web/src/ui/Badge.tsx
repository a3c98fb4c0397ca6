import styles from "./Badge.module.css";

interface Props {
  /** `good` is as it should be, `info` is under way, `notice` needs attention, `bad` stops something. */
  tone?: "plain" | "good" | "info" | "notice" | "bad";
  children: string;
}

/** A state in a word or two, such as an item's status. */
export function Badge({ tone = "plain", children }: Props) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
