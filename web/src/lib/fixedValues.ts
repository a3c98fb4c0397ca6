/**
 * Values that FOLIO's contract fixes, in the user's language: the one table of them. Each value is its own English text.
 * What a library names itself, such as its loan types and patron groups, is shown as it is.
 */
import { msg, t } from "./i18n";

const PAYMENT_STATUSES = [
  msg("Outstanding"),
  msg("Paid partially"),
  msg("Paid fully"),
  msg("Waived partially"),
  msg("Waived fully"),
  msg("Transferred partially"),
  msg("Transferred fully"),
  msg("Refunded partially"),
  msg("Refunded fully"),
  msg("Credited partially"),
  msg("Credited fully"),
  msg("Cancelled item returned"),
  msg("Cancelled item renewed"),
  msg("Cancelled item declared lost"),
  msg("Cancelled as error"),
  msg("Suspended claim returned"),
];

/** What the system charges; other types are the library's. */
const AUTOMATIC_FEES = [
  msg("Overdue fine"),
  msg("Replacement processing fee"),
  msg("Lost item fee"),
  msg("Lost item processing fee"),
  msg("Lost item fee (actual cost)"),
  msg("Reminder fee"),
];

export const FIXED = {
  itemStatus: [
    msg("Aged to lost"),
    msg("Available"),
    msg("Awaiting delivery"),
    msg("Awaiting pickup"),
    msg("Checked out"),
    msg("Claimed returned"),
    msg("Declared lost"),
    msg("In process"),
    msg("In process (non-requestable)"),
    msg("In transit"),
    msg("Intellectual item"),
    msg("Long missing"),
    msg("Lost and paid"),
    msg("Missing"),
    msg("On order"),
    msg("Order closed"),
    msg("Paged"),
    msg("Restricted"),
    msg("Unavailable"),
    msg("Unknown"),
    msg("Withdrawn"),
  ],
  requestStatus: [
    msg("Open - Not yet filled"),
    msg("Open - In transit"),
    msg("Open - Awaiting pickup"),
    msg("Open - Awaiting delivery"),
    msg("Closed - Filled"),
    msg("Closed - Cancelled"),
    msg("Closed - Unfilled"),
    msg("Closed - Pickup expired"),
  ],
  requestType: [msg("Hold"), msg("Page"), msg("Recall")],
  useAtLocation: [msg("In use"), msg("Held"), msg("Returned")],
  paymentStatus: PAYMENT_STATUSES,
  feeType: AUTOMATIC_FEES,
  /** What happened to a fee: its first movement is named by its type. */
  feeMovement: [...PAYMENT_STATUSES, ...AUTOMATIC_FEES],
  blockCondition: [
    msg("Maximum number of items charged out"),
    msg("Maximum number of lost items"),
    msg("Maximum number of overdue items"),
    msg("Maximum number of overdue recalls"),
    msg("Recall overdue by maximum number of days"),
    msg("Maximum outstanding fee/fine balance"),
  ],
} as const satisfies Record<string, readonly string[]>;

export type FixedList = keyof typeof FIXED;

/** A value of one of these lists in the user's language; another is the library's own and stays as it is. */
export function fixed(list: FixedList, value: string | undefined): string {
  if (!value) return "";
  return (FIXED[list] as readonly string[]).includes(value) ? t(value) : value;
}
