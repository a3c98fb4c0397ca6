/** Statuses of items: how they look, and to which staff may move an item (docs/folio/inventory-business.md#marking-items). */
import type { Mark } from "../../api/catalogue";
import { msg } from "../../lib/i18n";

type Tone = "plain" | "good" | "info" | "notice" | "bad";

const TONES: Readonly<Record<string, Tone>> = {
  Available: "good",
  "Checked out": "info",
  "Awaiting pickup": "info",
  "Awaiting delivery": "info",
  "In transit": "info",
  Paged: "info",
  Missing: "bad",
  "Long missing": "bad",
  "Declared lost": "bad",
  "Aged to lost": "bad",
  "Lost and paid": "bad",
  Withdrawn: "bad",
  "Claimed returned": "notice",
  Unavailable: "notice",
  Unknown: "notice",
};

export const toneOf = (status: string): Tone => TONES[status] ?? "plain";

export interface Move {
  mark: Mark;
  status: string;
  label: string;
}

const MOVES: readonly Move[] = [
  { mark: "mark-missing", status: "Missing", label: msg("Mark as missing") },
  { mark: "mark-long-missing", status: "Long missing", label: msg("Mark as long missing") },
  { mark: "mark-withdrawn", status: "Withdrawn", label: msg("Mark as withdrawn") },
  { mark: "mark-restricted", status: "Restricted", label: msg("Mark as restricted") },
  { mark: "mark-unavailable", status: "Unavailable", label: msg("Mark as unavailable") },
  { mark: "mark-in-process", status: "In process", label: msg("Mark as in process") },
  {
    mark: "mark-in-process-non-requestable",
    status: "In process (non-requestable)",
    label: msg("Mark as in process, not requestable"),
  },
  {
    mark: "mark-intellectual-item",
    status: "Intellectual item",
    label: msg("Mark as intellectual item"),
  },
  { mark: "mark-unknown", status: "Unknown", label: msg("Mark as unknown") },
];

/** Statuses from which an item is not marked as missing or withdrawn: what happened has to be settled elsewhere. */
const UNSETTLED = [
  "Aged to lost",
  "Checked out",
  "Claimed returned",
  "Declared lost",
  "On order",
  "Order closed",
];

const NOT_FROM: Partial<Record<Mark, readonly string[]>> = {
  "mark-missing": [...UNSETTLED, "Lost and paid"],
  "mark-withdrawn": UNSETTLED,
  "mark-in-process": [],
};

/** All moves, with the reason why one cannot be made from a status. */
export function movesFrom(status: string): (Move & { isAllowed: boolean })[] {
  return MOVES.map((move) => {
    const notFrom = NOT_FROM[move.mark] ?? ["In process"];
    return { ...move, isAllowed: move.status !== status && !notFrom.includes(status) };
  });
}
