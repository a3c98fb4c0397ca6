/** Words errors so that staff can act on them, with all reasons of a refusal. */

import { ConnectionLostError, RefusedError, SessionExpiredError } from "../api/errors";
import type { ErrorEntry } from "../api/types";
import { msg, t } from "./i18n";

const MISSING_PERMISSION = msg("missing permission {name}");

type Wording = (entry: ErrorEntry) => string;

/** By the code of docs/folio/check-out.md#checks and docs/folio/check-in.md#refusals-of-a-check-in. */
const BY_CODE: Record<string, Wording> = {
  USER_BARCODE_NOT_FOUND: (entry) =>
    t("No patron has the barcode {barcode}.", {
      barcode: parameter(entry, "userBarcode", "proxyUserBarcode"),
    }),
  USER_IS_BLOCKED_MANUALLY: (entry) =>
    withDetail(t("The patron is blocked from borrowing"), parameter(entry, "reason")),
  ITEM_BARCODE_NOT_FOUND: noSuchItem,
  ITEM_BEFORE_PATRON: (entry) =>
    t("This is an item: {title}. Scan the patron's card first.", {
      title: parameter(entry, "title"),
    }),
  ITEM_HAS_OPEN_LOAN: () => t("The item already has an open loan."),
  ITEM_NOT_LOANABLE: (entry) =>
    withDetail(
      t("This item is not for loan"),
      named(msg("loan policy {name}"), parameter(entry, "loanPolicyName")),
    ),
  INSUFFICIENT_OVERRIDE_PERMISSIONS: (entry) =>
    withDetail(
      t("You are not allowed to override this"),
      named(MISSING_PERMISSION, entry.overridableBlock?.missingPermissions?.join(", ") ?? ""),
    ),
  CALENDAR_TIMETABLE_ABSENT: () =>
    t("No due date could be set: this service point has no opening hours around that day."),
  CALENDAR_OPEN_PERIODS_NOT_FOUND: () =>
    t("No due date could be set: this service point has no calendar."),
  "wrong.username.or.wrong.password.or.account.blocked": () =>
    t("The user name or the password is wrong, or the account is locked."),
};

/** By the message, for refusals without a code. */
const BY_MESSAGE: [RegExp, Wording][] = [
  [/^No item with barcode .* (could be found|exists)$/, noSuchItem],
  [
    /^Check out must be performed at a service point$/,
    () => t("Choose a service point before checking out."),
  ],
  [
    /^Cannot check out to inactive user$/,
    () => t("The patron's record is inactive or has expired."),
  ],
  [
    /^Cannot determine if user is active or not$/,
    () => t("The patron's record does not say whether it is active."),
  ],
  [/^Item is already checked out$/, () => t("The item is already checked out.")],
  [
    /^Item is claimed returned, a resolution is required to check in$/,
    () => t("The patron claimed to have returned this item. Say how it was found to check it in."),
  ],
  [
    /^Item is lost however there is no aged to lost nor declared lost loan found$/,
    () =>
      t(
        "It counted as lost, but no loan says that it was lost. Look whether somebody paid for it.",
      ),
  ],
  [
    /^Last loan for lost item is neither aged to lost nor declared lost$/,
    () => t("It counted as lost, but its last loan does not. Look whether somebody paid for it."),
  ],
  [
    / has the item status Intellectual item and cannot be checked in$/,
    () =>
      t(
        "The item stands for a work that nobody can hold, and cannot come back (status “Intellectual item”).",
      ),
  ],
  [
    /minimum config for SMTP server/,
    () => t("This library has no mail server yet. The e-mail waits until it has one."),
  ],
  [
    /^(.*) is on loan; check it in first$/,
    ({ message }) =>
      t("{box} is on loan. Check it in first.", { box: until(" is on loan;", message) }),
  ],
  [
    /^(.*) has open requests; fill or cancel them first$/,
    ({ message }) =>
      t("{box} has open requests. Fill or cancel them first.", {
        box: until(" has open requests;", message),
      }),
  ],
  [
    /^(.*) is bound with other titles; separate it first$/,
    ({ message }) =>
      t("{box} is bound with other titles. Separate it first.", {
        box: until(" is bound with", message),
      }),
  ],
  [
    / is still referenced from table |^Cannot delete in use /,
    () => t("It is in use and cannot be deleted."),
  ],
  [/ value already exists in table /, () => t("This already exists. Choose another.")],
  [
    /^Cannot set .* because it does not exist in /,
    () => t("What was chosen here is gone. Choose another."),
  ],
  [
    /^A location must have at least one Service Point/,
    () => t("A location needs at least one service point."),
  ],
  [
    /Primary Service point must be included/,
    () => t("The primary service point must be one of the location's service points."),
  ],
  [
    /^No such Tenant (.*)$/,
    ({ message }) => t("There is no library named “{name}” here.", { name: message.slice(15) }),
  ],
];

/** Every reason of an error as a sentence. */
export function reasonsInWords(error: unknown): string[] {
  if (error instanceof SessionExpiredError) return [t("Your session has expired. Sign in again.")];
  if (error instanceof ConnectionLostError) {
    return [t("The server does not answer. Check the network; nothing you scanned is lost.")];
  }
  if (error instanceof RefusedError) return refusalInWords(error);
  return [sentence(error instanceof Error ? error.message : t("Something unexpected went wrong"))];
}

/** All reasons in one text. */
export function inWords(error: unknown): string {
  return reasonsInWords(error).join(" ");
}

function refusalInWords({ status, entries }: RefusedError): string[] {
  if (status === 403) return [forbidden(entries[0]?.message ?? "")];
  if (status >= 500)
    return [
      withDetail(
        t("The server failed to do this"),
        entries[0]?.message ?? t("status {status}", { status }),
      ),
    ];
  if (entries.length === 0) return [t("The server refused this (status {status}).", { status })];
  return [...new Set(entries.map(entryInWords))];
}

export function entryInWords(entry: ErrorEntry): string {
  const wording =
    BY_CODE[entry.code ?? ""] ?? BY_MESSAGE.find(([pattern]) => pattern.test(entry.message))?.[1];
  return wording ? wording(entry) : sentence(entry.message);
}

function forbidden(text: string): string {
  const permission = /requires permission: (\S+)$/.exec(text)?.[1];
  return withDetail(
    t("You are not allowed to do this"),
    named(MISSING_PERMISSION, permission ?? ""),
  );
}

function noSuchItem(entry: ErrorEntry): string {
  return t("No item has the barcode {barcode}.", {
    barcode: parameter(entry, "itemBarcode") || barcodeIn(entry.message),
  });
}

function barcodeIn(message: string): string {
  return /^No item with barcode (.*) (could be found|exists)$/.exec(message)?.[1] ?? "";
}

/** What stands before a phrase. */
const until = (phrase: string, text: string): string => text.slice(0, text.lastIndexOf(phrase));

function parameter(entry: ErrorEntry, ...keys: string[]): string {
  return entry.parameters?.find(({ key }) => keys.includes(key))?.value ?? "";
}

function named(message: string, name: string): string {
  return name ? t(message, { name }) : "";
}

function withDetail(text: string, detail: string): string {
  return sentence(detail ? `${text}: ${detail}` : text);
}

/** Adds a full stop unless there is one. */
function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
