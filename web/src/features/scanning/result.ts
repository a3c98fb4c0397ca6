/** The answer to a scan as the desk shows and speaks it. */
import { inWords } from "../../lib/wording";
import type { Scan } from "./scanQueue";

export interface Result {
  title: string;
  /** What staff looks for: the due date, the destination. */
  outcome: string;
  /** `good` needs nothing more, `info` goes somewhere else, `notice` needs somebody's hand. */
  tone: "good" | "info" | "notice";
  /** What to do with the item now. */
  instruction?: string;
  notes: string[];
}

/** A scan's outcome as one spoken text; nothing while it waits. */
export function spoken<Answer>(
  scan: Scan<Answer, unknown>,
  describe: (answer: Answer) => Result,
): string | undefined {
  if (scan.state === "refused") return `Refused: ${scan.barcode}. ${inWords(scan.error)}`;
  if (scan.state !== "answered" || scan.answer === undefined) return undefined;
  const { title, outcome, instruction = [], notes } = describe(scan.answer);
  return [title, outcome, ...[instruction].flat(), ...notes].join(". ");
}
