/** What the desk shows about a patron, from FOLIO's records. */
import type { AutomatedBlock, ManualBlock } from "../../api/types";
import { parseInstant } from "../../lib/dates";

interface Named {
  lastName?: string | null;
  firstName?: string | null;
  preferredFirstName?: string | null;
}

/** `Last, Preferred`; the first name stands in for a preferred one. */
export function personName({ lastName, firstName, preferredFirstName }: Named): string {
  return [lastName, preferredFirstName || firstName].filter(Boolean).join(", ");
}

/** What a block stops. */
export type Stop = "borrowing" | "renewals" | "requests";

/** Why a patron is blocked. */
export interface Block {
  text: string;
  /** In the order borrowing, renewals, requests. */
  stops: Stop[];
}

/** The blocks in force at `now`: manual ones that have not expired, and all automated ones. */
export function blocksInForce(
  manual: readonly ManualBlock[],
  automated: readonly AutomatedBlock[],
  now: Date,
): Block[] {
  return [
    ...manual.filter((block) => !isPast(block.expirationDate, now)).map(manualBlock),
    ...automated.map(automatedBlock),
  ].filter((block) => block.stops.length > 0);
}

/** Whether this expiration date is past; without one, never. */
export function isPast(expirationDate: string | undefined, now: Date): boolean {
  const instant = expirationDate ? parseInstant(expirationDate) : undefined;
  return instant !== undefined && instant < now;
}

function manualBlock({ desc, borrowing, renewals, requests }: ManualBlock): Block {
  return { text: desc, stops: stops(borrowing, renewals, requests) };
}

function automatedBlock(block: AutomatedBlock): Block {
  const { message, blockBorrowing, blockRenewals, blockRequests } = block;
  return { text: message, stops: stops(blockBorrowing, blockRenewals, blockRequests) };
}

function stops(borrowing = false, renewals = false, requests = false): Stop[] {
  const all: [Stop, boolean][] = [
    ["borrowing", borrowing],
    ["renewals", renewals],
    ["requests", requests],
  ];
  return all.flatMap(([action, stopped]) => (stopped ? [action] : []));
}
