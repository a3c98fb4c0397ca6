/** The frame of a scanning page: title, end of the session, content and side panel. */
import type { ReactNode } from "react";
import { useAltDigit } from "../../lib/shortcuts";
import { usePageTitle } from "../../lib/usePageTitle";
import { Button } from "../../ui/Button";
import { announce } from "../../ui/LiveRegion";
import { isPending, type Scan } from "./scanQueue";
import styles from "./Task.module.css";

interface Props {
  title: string;
  scans: readonly Scan<unknown, unknown>[];
  onEnd: () => void;
  /** Actions on the whole session besides ending it. */
  actions?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}

export function Task({ title, scans, onEnd, actions, aside, children }: Props) {
  const reason = whyNotEnd(scans);
  const end = () => {
    if (reason) return announce(reason);
    onEnd();
    announce("Session ended.");
  };
  useAltDigit(0, end);
  usePageTitle(title);
  return (
    <main className={styles.task}>
      <div className={styles.head}>
        <h1>{title}</h1>
        <div className={styles.end}>
          {reason && scans.length > 0 && <span>{reason}</span>}
          {actions}
          <Button
            onPress={end}
            isDisabled={reason !== undefined}
            keys="Alt 0"
            aria-keyshortcuts="Alt+0"
          >
            End session
          </Button>
        </div>
      </div>
      <div className={aside ? styles.columns : ""}>
        <div className={styles.work}>{children}</div>
        {aside}
      </div>
    </main>
  );
}

function whyNotEnd(scans: readonly Scan<unknown, unknown>[]): string | undefined {
  if (scans.length === 0) return "Nothing scanned yet.";
  const waiting = scans.filter(isPending).length;
  return waiting > 0 ? `Waiting for ${waiting} ${waiting === 1 ? "scan" : "scans"}.` : undefined;
}
