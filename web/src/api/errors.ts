/** The kinds of failure that the desk treats differently. */
import type { ErrorEntry } from "./types";

/** The server refused. */
export class RefusedError extends Error {
  readonly status: number;
  readonly entries: ErrorEntry[];

  constructor(status: number, entries: ErrorEntry[]) {
    super(entries.map((entry) => entry.message).join("; ") || `HTTP status ${status}`);
    this.status = status;
    this.entries = entries;
  }
}

/** Nobody is signed in any more, or somebody else: signing in again and repeating the call is safe. */
export class SessionExpiredError extends Error {
  constructor() {
    super("The session has expired");
  }
}

/** No answer came. The server may or may not have made the change. */
export class ConnectionLostError extends Error {
  constructor(cause?: unknown) {
    super("The connection to the server was lost", { cause });
  }
}

/** Statuses with which a proxy says that the server does not answer; the change may or may not have been made. */
const AWAY = [502, 503, 504];

/** The error for an answer; `body` is parsed JSON, or text. */
export function errorOfAnswer(status: number, body: unknown): Error {
  if (status === 401) return new SessionExpiredError();
  if (status === 400 && textOf(body).startsWith("Token missing")) return new SessionExpiredError();
  if (AWAY.includes(status) && !hasErrors(body)) return new ConnectionLostError();
  return new RefusedError(status, entriesOf(body));
}

function entriesOf(body: unknown): ErrorEntry[] {
  if (hasErrors(body)) return body.errors.filter(isEntry);
  const text = textOf(body) || refusedAction(body);
  return text ? [{ message: text }] : [];
}

/** The refusal of an action upon fees has one text (docs/folio/fees-fines.md#refusals-of-actions). */
function refusedAction(body: unknown): string {
  return isObject(body) ? textOf(body.errorMessage) : "";
}

/** A 503 with reasons is Carrel's own: an index that is being built, for instance. */
function hasErrors(body: unknown): body is { errors: unknown[] } {
  return isObject(body) && Array.isArray(body.errors);
}

function isEntry(value: unknown): value is ErrorEntry {
  return isObject(value) && typeof value.message === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body.trim() : "";
}
