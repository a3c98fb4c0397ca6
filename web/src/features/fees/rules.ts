/** What can be done with fees, and how much (docs/folio/fees-fines.md#what-actions-do). */
import type { Account, Movement } from "../../api/fees";
import { msg } from "../../lib/i18n";
import { sumOf } from "./money";

export const ACTIONS = ["pay", "waive", "refund", "transfer", "cancel"] as const;

export type FeeAction = (typeof ACTIONS)[number];

export const isOpen = ({ status }: Account): boolean => status.name === "Open";

/** What is still owed on these fees. */
export function owed(accounts: readonly Account[]): bigint {
  return sumOf(accounts.filter(isOpen).map(({ remaining }) => remaining));
}

/** What was paid or transferred and has not been refunded. */
export function refundable(accounts: readonly Account[], movements: readonly Movement[]): bigint {
  const ids = new Set(accounts.map(({ id }) => id));
  const of = (...kinds: string[]) =>
    sumOf(
      movements
        .filter(({ accountId, typeAction = "" }) => {
          return ids.has(accountId) && kinds.some((kind) => typeAction.startsWith(kind));
        })
        .map(({ amountAction }) => amountAction),
    );
  return of("Paid", "Transferred") - of("Refunded");
}

/** The most that the action may move. */
export function mostFor(
  action: FeeAction,
  accounts: readonly Account[],
  movements: readonly Movement[],
): bigint {
  return action === "refund" ? refundable(accounts, movements) : owed(accounts);
}

/** Why the action cannot be done with these fees, or none. */
export function whyNot(
  action: FeeAction,
  accounts: readonly Account[],
  movements: readonly Movement[],
): string | undefined {
  if (accounts.length === 0) return msg("Select a fee first.");
  if (action === "refund") {
    const all = accounts.every((account) => refundable([account], movements) > 0n);
    return all ? undefined : msg("Nothing was paid or transferred that could be refunded.");
  }
  return accounts.every(isOpen) ? undefined : msg("A closed fee is among those selected.");
}

/** Movements with the same fee, the newest first. */
export function historyOf(account: Account, movements: readonly Movement[]): Movement[] {
  return movements.filter(({ accountId }) => accountId === account.id).reverse();
}

/** FOLIO keeps comments for staff and for the patron in one text. */
export function commentsOf(staff: string, patron: string): string | undefined {
  const parts = [
    staff.trim() && `STAFF : ${staff.trim()}`,
    patron.trim() && `PATRON : ${patron.trim()}`,
  ];
  return parts.filter(Boolean).join(" \n ") || undefined;
}
