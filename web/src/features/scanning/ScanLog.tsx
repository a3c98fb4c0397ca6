/** The scans of a session, newest first, each with its answer. */
import type { ReactNode } from "react";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { LongList } from "../../ui/LongList";
import { Reasons } from "../../ui/Notice";
import { OUTCOMES, type OutcomeName } from "./outcomes";
import { outcomeOf, type Reader } from "./result";
import { newestFor, type RowAction } from "./rowAction";
import styles from "./scanning.module.css";
import { isPending, type Scan } from "./scanQueue";

interface Props<Answer, Options> {
  scans: readonly Scan<Answer, Options>[];
  reader: Reader<Answer>;
  actions: readonly RowAction<Scan<Answer, Options>>[];
}

export function ScanLog<Answer, Options>({ scans, reader, actions }: Props<Answer, Options>) {
  const newest = actions.map((action) =>
    action.keys === undefined ? undefined : newestFor(scans, action, actions),
  );
  return (
    <section className={styles.log} aria-label={t("Scans")}>
      <p className={styles.count}>{countInWords(scans)}</p>
      {scans.length > 0 && (
        <LongList
          label={t("Scans, newest first")}
          rows={scans.toReversed()}
          keyOf={({ id }) => id}
          className={styles.rows}
          rowProps={(scan) => ({ className: rowClass(scan), "data-state": scan.state })}
          isStop={(scan) => actions.some(({ applies }) => applies(scan))}
        >
          {(scan) => (
            <Row scan={scan} reader={reader}>
              {actions.map((action, n) => (
                <ActionButton
                  key={action.label}
                  scan={scan}
                  action={action}
                  hasKey={scan === newest[n]}
                />
              ))}
            </Row>
          )}
        </LongList>
      )}
    </section>
  );
}

interface ActionProps<S> {
  scan: S;
  action: RowAction<S>;
  /** Whether the action's shortcut applies to this scan. */
  hasKey: boolean;
}

function ActionButton<S extends { barcode: string }>({ scan, action, hasKey }: ActionProps<S>) {
  const { label, keys, applies, run } = action;
  if (!applies(scan)) return null;
  return (
    <Button
      look={hasKey ? "plain" : "quiet"}
      onPress={() => run(scan)}
      aria-label={`${label} ${scan.barcode}`}
      {...(hasKey && keys && { keys })}
    >
      {label}
    </Button>
  );
}

interface RowProps<Answer> {
  scan: Scan<Answer, unknown>;
  reader: Reader<Answer>;
  /** The buttons for what can be done about it. */
  children: ReactNode;
}

function Row<Answer>({ scan, reader, children }: RowProps<Answer>) {
  const kind = outcomeOf(scan, reader);
  if (!kind) return <PendingRow scan={scan} />;
  if (scan.answer === undefined) {
    return (
      <RowFrame kind={kind} outcome={t("Refused")} actions={children}>
        <div className={styles.barcode}>{scan.barcode}</div>
        <div className={styles.reasons}>
          <Reasons error={scan.error} />
        </div>
      </RowFrame>
    );
  }
  const result = reader.describe(scan.answer);
  const { title, author, facts = [], outcome, instruction, warnings = [], notes } = result;
  return (
    <RowFrame kind={kind} outcome={outcome} actions={children}>
      <div className={styles.title}>{title}</div>
      {author && <div className={styles.author}>{author}</div>}
      <div className={styles.facts}>
        <span className={styles.barcode}>{scan.barcode}</span>
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </div>
      {instruction && (
        <p className={`${styles.instruction} ${styles[OUTCOMES[kind].tone]}`}>{instruction}</p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </RowFrame>
  );
}

interface FrameProps {
  kind: OutcomeName;
  outcome: string;
  actions: ReactNode;
  children: ReactNode;
}

/** Mark, what was scanned, and beside it what became of it and what can be done. */
function RowFrame({ kind, outcome, actions, children }: FrameProps) {
  return (
    <>
      <Mark kind={kind} />
      <div className={styles.body}>{children}</div>
      <div className={styles.side}>
        <div className={`${styles.outcome} ${styles[OUTCOMES[kind].tone]}`}>{outcome}</div>
        {actions}
      </div>
    </>
  );
}

function PendingRow({ scan }: { scan: Scan<unknown, unknown> }) {
  return (
    <>
      <span className={`${styles.mark} ${styles.muted}`} aria-hidden="true">
        …
      </span>
      <div className={styles.barcode}>{scan.barcode}</div>
      <div className={`${styles.outcome} ${styles.muted}`}>
        {scan.state === "working" ? t("Working…") : t("Waiting")}
      </div>
    </>
  );
}

/** Hidden from screen readers, since the text says the same. */
function Mark({ kind }: { kind: OutcomeName }) {
  const { mark, tone } = OUTCOMES[kind];
  return (
    <span className={`${styles.mark} ${styles[tone]}`} aria-hidden="true">
      {mark}
    </span>
  );
}

function rowClass(scan: Scan<unknown, unknown>): string {
  return [styles.row, scan.state === "refused" && styles.refused].filter(Boolean).join(" ");
}

function countInWords(scans: readonly Scan<unknown, unknown>[]): string {
  if (scans.length === 0) return t("No items scanned yet.");
  const refused = scans.filter((scan) => scan.state === "refused").length;
  const waiting = scans.filter(isPending).length;
  return [
    t("{count} done", { count: scans.length - refused - waiting }),
    refused > 0 && t("{count} refused", { count: refused }),
    waiting > 0 && t("{count} waiting", { count: waiting }),
  ]
    .filter(Boolean)
    .join(", ");
}
