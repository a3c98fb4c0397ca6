/** The outcome of a scan as the desk shows and announces it. */
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import { OUTCOMES, type OutcomeName } from "./outcomes";
import type { Scan } from "./scanQueue";

export interface Result {
  title: string;
  author?: string;
  /** What else tells the item from others: call number, location, status. Empty ones are left out. */
  facts?: string[];
  kind: OutcomeName;
  /** The most important fact: the due date, the destination. */
  outcome: string;
  /** What to do with the item now. */
  instruction?: string;
  /** What must not be missed about the item. */
  warnings?: string[];
  notes: string[];
}

/** How a task reads the answers of its scans. */
export interface Reader<Answer> {
  describe: (answer: Answer) => Result;
  /** Whether staff can decide otherwise about a refusal. */
  canDecide: (error: unknown) => boolean;
}

/** The outcome of a scan; none while it waits. */
export function outcomeOf<Answer>(
  { state, answer, error }: Scan<Answer, unknown>,
  { describe, canDecide }: Reader<Answer>,
): OutcomeName | undefined {
  if (state === "refused") return canDecide(error) ? "decision" : "refused";
  if (state !== "answered" || answer === undefined) return undefined;
  return describe(answer).kind;
}

/** The outcome as one text to announce; empty while the scan waits. */
export function spoken<Answer>(
  scan: Scan<Answer, unknown>,
  reader: Reader<Answer>,
): string | undefined {
  const outcome = outcomeOf(scan, reader);
  if (!outcome) return undefined;
  const { said } = OUTCOMES[outcome];
  return [...(said ? [t(said)] : []), detailsOf(scan, reader)].join(" ");
}

function detailsOf<Answer>(scan: Scan<Answer, unknown>, { describe }: Reader<Answer>): string {
  const { state, barcode, answer, error } = scan;
  if (state === "refused" || answer === undefined) {
    return t("Refused: {barcode}. {reasons}", { barcode, reasons: inWords(error) });
  }
  const { title, outcome, instruction = [], warnings = [], notes } = describe(answer);
  return [title, outcome, ...[instruction].flat(), ...warnings, ...notes].join(". ");
}
