/** The frame of a scanning page: title, end of the session, content and side panel. */

import type { ReactNode } from "react";
import { useActions } from "../../lib/actions";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
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
    announce(t("Session ended."));
  };
  useActions([{ label: t("End session"), keys: KEYS.endSession, run: end }]);
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
            keys={KEYS.endSession}
            aria-keyshortcuts={KEYS.endSession}
          >
            {t("End session")}
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
  if (scans.length === 0) return t("Nothing scanned yet.");
  const waiting = scans.filter(isPending).length;
  return waiting > 0
    ? t("Waiting for {waiting, plural, one {# scan} other {# scans}}.", { waiting })
    : undefined;
}
