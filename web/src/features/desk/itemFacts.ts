/** What a row says about an item, whatever happened to it. */
import type { CheckInAnswer, Loan } from "../../api/types";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { entryInWords } from "../../lib/wording";

type ShownItem = CheckInAnswer["item"] | NonNullable<Loan["item"]>;

/** What Carrel tells its own pages with the answer to a scan (docs/decisions/0068). */
export type DeskFacts = Partial<NonNullable<CheckInAnswer["desk"]>>;

/** The facts that came with an answer; none came with a loan that was looked up. */
export const factsIn = (answer: object): DeskFacts =>
  "desk" in answer ? (answer.desk as DeskFacts) : {};

export function titleOf(item: ShownItem | undefined): string {
  const title = item?.title ?? t("Untitled item");
  const part = [item?.volume, item?.enumeration, item?.chronology].filter(Boolean).join(", ");
  return part ? `${title} · ${part}` : title;
}

export const authorOf = (item: ShownItem | undefined): string =>
  item?.primaryContributor ?? item?.contributors?.find(({ name }) => name)?.name ?? "";

/** Call number with its prefix and suffix. */
export function callNumberOf(item: ShownItem | undefined): string {
  const { prefix, callNumber, suffix } = item?.callNumberComponents ?? {};
  return [prefix, callNumber ?? item?.callNumber, suffix].filter(Boolean).join(" ");
}

/** Statuses from which an item is lent or comes back every day. */
const ORDINARY: readonly string[] = [
  "Available",
  "Checked out",
  "In transit",
  "Awaiting pickup",
  "Awaiting delivery",
  "Paged",
];

/** What must not be missed about the item: an unusual status before, its notes, its parts. */
export function warningsOf(facts: DeskFacts): string[] {
  const { statusBefore, refusal, notes = [] } = facts;
  return [
    // It came back all the same.
    ...(refusal ? [entryInWords({ message: refusal })] : []),
    ...(statusBefore && !ORDINARY.includes(statusBefore)
      ? [t("It had the status “{status}”.", { status: fixed("itemStatus", statusBefore) })]
      : []),
    ...notes,
    ...piecesOf(facts),
  ];
}

function piecesOf(facts: DeskFacts): string[] {
  const { numberOfPieces = "", descriptionOfPieces = "" } = facts;
  const { numberOfMissingPieces = "", missingPieces = "" } = facts;
  const pieces = [numberOfPieces, descriptionOfPieces].filter(Boolean).join(", ");
  const missing = [numberOfMissingPieces, missingPieces].filter(Boolean).join(", ");
  const areSeveral = descriptionOfPieces !== "" || !["", "0", "1"].includes(numberOfPieces.trim());
  return [
    ...(areSeveral ? [t("Several pieces, check that all are there: {pieces}.", { pieces })] : []),
    ...(missing ? [t("Known to be missing: {missing}.", { missing })] : []),
  ];
}
