/** The scans of a session, the newest first, each answered where it stands. */
import { Button } from "../../ui/Button";
import { Reasons } from "../../ui/Notice";
import type { Result } from "./result";
import styles from "./scanning.module.css";
import { isPending, type Scan } from "./scanQueue";

interface Props<Answer, Options> {
  scans: readonly Scan<Answer, Options>[];
  describe: (answer: Answer) => Result;
  remedy: Remedy<Scan<Answer, Options>>;
}

/** What can be done about a refused scan. */
export interface Remedy<RefusedScan> {
  label: string;
  keys: string;
  applies: (scan: RefusedScan) => boolean;
  open: (scan: RefusedScan) => void;
}

export function ScanLog<Answer, Options>({ scans, describe, remedy }: Props<Answer, Options>) {
  const newestFirst = scans.toReversed();
  const first = newestRemediable(scans, remedy);
  return (
    <section className={styles.log} aria-label="Scans">
      <p className={styles.count}>{countInWords(scans)}</p>
      {scans.length > 0 && (
        <ol reversed className={styles.rows} aria-label="Scans, newest first">
          {newestFirst.map((scan) => (
            <li key={scan.id} className={rowClass(scan)} data-state={scan.state}>
              <Row scan={scan} describe={describe} />
              {remedy.applies(scan) && (
                <div className={styles.remedy}>
                  <Button
                    onPress={() => remedy.open(scan)}
                    aria-label={`${remedy.label} ${scan.barcode}`}
                    {...(scan === first && { keys: remedy.keys })}
                  >
                    {remedy.label}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The scan the remedy's shortcut is for. */
export function newestRemediable<S>(scans: readonly S[], remedy: Remedy<S>): S | undefined {
  return scans.findLast(remedy.applies);
}

interface RowProps<Answer> {
  scan: Scan<Answer, unknown>;
  describe: (answer: Answer) => Result;
}

function Row<Answer>({ scan, describe }: RowProps<Answer>) {
  if (scan.state === "refused") return <RefusedRow scan={scan} />;
  if (scan.answer === undefined) return <PendingRow scan={scan} />;
  const { title, outcome, tone, notes } = describe(scan.answer);
  return (
    <>
      <Mark tone={tone} />
      <div>
        <div className={styles.title}>{title}</div>
        <div className={styles.barcode}>{scan.barcode}</div>
      </div>
      <div className={`${styles.outcome} ${styles[tone]}`}>{outcome}</div>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function PendingRow({ scan }: { scan: Scan<unknown, unknown> }) {
  return (
    <>
      <Mark tone="muted" />
      <div className={styles.barcode}>{scan.barcode}</div>
      <div className={`${styles.outcome} ${styles.muted}`}>
        {scan.state === "working" ? "Working…" : "Waiting"}
      </div>
    </>
  );
}

function RefusedRow({ scan }: { scan: Scan<unknown, unknown> }) {
  return (
    <>
      <Mark tone="bad" />
      <div className={styles.barcode}>{scan.barcode}</div>
      <div className={`${styles.outcome} ${styles.bad}`}>Refused</div>
      <div className={styles.reasons}>
        <Reasons error={scan.error} />
      </div>
    </>
  );
}

const MARKS = { good: "✓", info: "→", notice: "!", bad: "✕", muted: "…" };

/** A shape besides the colour; the words say the same, so it is not read out. */
function Mark({ tone }: { tone: keyof typeof MARKS }) {
  return (
    <span className={`${styles.mark} ${styles[tone]}`} aria-hidden="true">
      {MARKS[tone]}
    </span>
  );
}

function rowClass(scan: Scan<unknown, unknown>): string {
  return [styles.row, scan.state === "refused" && styles.refused].filter(Boolean).join(" ");
}

function countInWords(scans: readonly Scan<unknown, unknown>[]): string {
  if (scans.length === 0) return "No items scanned yet.";
  const refused = scans.filter((scan) => scan.state === "refused").length;
  const waiting = scans.filter(isPending).length;
  return [
    `${scans.length - refused - waiting} done`,
    refused > 0 && `${refused} refused`,
    waiting > 0 && `${waiting} waiting`,
  ]
    .filter(Boolean)
    .join(", ");
}
