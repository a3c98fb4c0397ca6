/** What the desk shows about a patron, from FOLIO's records. */
import type { AutomatedBlock, ManualBlock, User } from "../../api/types";
import { parseInstant } from "../../lib/dates";
import { msg } from "../../lib/i18n";

interface Named {
  lastName?: string | null;
  firstName?: string | null;
  preferredFirstName?: string | null;
}

/** `Last, Preferred`; the first name stands in for a preferred one. */
export function personName({ lastName, firstName, preferredFirstName }: Named): string {
  return [lastName, preferredFirstName || firstName].filter(Boolean).join(", ");
}

/** The name, or what else tells a patron from others. */
export function nameOf({ personal, username, barcode, id }: User): string {
  return personName(personal ?? {}) || username || barcode || id;
}

/** The letters of a picture: `Reader, Ann` gives `AR`. */
export function initialsOf({ personal, username = "" }: User): string {
  const { firstName, preferredFirstName, lastName } = personal ?? {};
  const letters = [preferredFirstName || firstName, lastName].map(
    (name) => name?.trim().at(0) ?? "",
  );
  return (letters.join("") || username.slice(0, 1)).toUpperCase();
}

/** Why a patron is blocked. */
export interface Block {
  text: string;
  /** In the order borrowing, renewals, requests. */
  stops: Stop[];
  /** The condition whose limit is reached; absent for a block by staff. */
  conditionId?: string;
}

export type Stop = "borrowing" | "renewals" | "requests";

/** What a block stops, in words. */
export const STOPS: Record<Stop, string> = {
  borrowing: msg("borrowing"),
  renewals: msg("renewals"),
  requests: msg("requests"),
};

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

function manualBlock(block: ManualBlock): Block {
  return { text: block.desc, stops: manualStops(block) };
}

function automatedBlock(block: AutomatedBlock): Block {
  const { message: text, patronBlockConditionId: conditionId } = block;
  return { text, stops: automatedStops(block), conditionId };
}

export function manualStops({ borrowing, renewals, requests }: ManualBlock): Stop[] {
  return stops(borrowing, renewals, requests);
}

export function automatedStops(block: AutomatedBlock): Stop[] {
  return stops(block.blockBorrowing, block.blockRenewals, block.blockRequests);
}

function stops(borrowing = false, renewals = false, requests = false): Stop[] {
  const all: Record<Stop, boolean> = { borrowing, renewals, requests };
  return (Object.keys(all) as Stop[]).filter((stop) => all[stop]);
}
