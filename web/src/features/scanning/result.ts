/** The outcome of a scan as the desk shows and announces it. */
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import type { Scan } from "./scanQueue";

export interface Result {
  title: string;
  /** The most important fact: the due date, the destination. */
  outcome: string;
  /** `good` needs nothing more, `info` goes elsewhere, `notice` needs attention. */
  tone: "good" | "info" | "notice";
  /** What to do with the item now. */
  instruction?: string;
  notes: string[];
}

/** The outcome as one text to announce; empty while the scan waits. */
export function spoken<Answer>(
  scan: Scan<Answer, unknown>,
  describe: (answer: Answer) => Result,
): string | undefined {
  if (scan.state === "refused") {
    const { barcode, error } = scan;
    return t("Refused: {barcode}. {reasons}", { barcode, reasons: inWords(error) });
  }
  if (scan.state !== "answered" || scan.answer === undefined) return undefined;
  const { title, outcome, instruction = [], notes } = describe(scan.answer);
  return [title, outcome, ...[instruction].flat(), ...notes].join(". ");
}
