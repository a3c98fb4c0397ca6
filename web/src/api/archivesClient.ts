/**
 * Calls of the archives' API, which the staff port serves under `/archivesspace` for the page's own session. Its errors
 * become the same kinds as those of FOLIO's API (`errors.ts`).
 */
import { callerHeaders, sessionExpired } from "./client";
import { ConnectionLostError, errorOfAnswer, RefusedError, SessionExpiredError } from "./errors";
import type { ErrorEntry } from "./types";

const BASE = "/archivesspace";
/** Milliseconds without an answer after which a connection counts as lost. */
const PATIENCE = 60_000;

type Value = string | number | boolean | undefined;
export type Query = Record<string, Value | readonly string[]>;

/** The path with its parameters; arrays are sent as ArchivesSpace wants them, `type[]=a&type[]=b`. */
export function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) parameters.append(`${name}[]`, one);
    else if (value !== undefined && value !== "") parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text ? `${BASE}${path}?${text}` : `${BASE}${path}`;
}

export const read = <Body>(path: string, query?: Query): Promise<Body> =>
  bodyOf<Body>("GET", addressOf(path, query));

/** Sends parameters in the address and a record in the body. */
export const send = <Body>(
  path: string,
  record?: unknown,
  query?: Query,
  patience = PATIENCE,
): Promise<Body> => bodyOf<Body>("POST", addressOf(path, query), record, patience);

export const remove = <Body>(path: string, patience = PATIENCE): Promise<Body> =>
  bodyOf<Body>("DELETE", addressOf(path), undefined, patience);

async function bodyOf<Body>(
  method: string,
  address: string,
  record?: unknown,
  patience = PATIENCE,
): Promise<Body> {
  const response = await answerOf(address, {
    method,
    ...(record !== undefined && { body: JSON.stringify(record) }),
    signal: AbortSignal.timeout(patience),
  });
  return (await response.json()) as Body;
}

/** The answer to a call that was not refused, for those who read it in parts. */
export async function answerOf(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...callerHeaders(), "Content-Type": "application/json" };
  const response = await fetch(address, { headers, ...init }).catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

/** The error for a refusal; tells the page when it is that the session has ended. */
export function refusalOf(status: number, text: string): Error {
  const error = archivesError(status, parsed(text));
  if (error instanceof SessionExpiredError) sessionExpired();
  return error;
}

/** What a refusal of the archives means (docs/archivesspace, contract 1.3). */
export function archivesError(status: number, body: unknown): Error {
  if (status === 401 || status === 412) return new SessionExpiredError();
  const error = isObject(body) ? body.error : undefined;
  if (error === undefined) return errorOfAnswer(status, body);
  const entries = entriesOf(error);
  const isStale = entries.some(({ message }) => /modified since you fetched/.test(message));
  // 409 means elsewhere in the page that somebody else has changed the record; other conflicts are plain refusals.
  if (status === 409 && !isStale) return new RefusedError(422, entries);
  if (status === 403) return new RefusedError(403, []);
  // With words of its own it is no proxy's: the index is being built, for instance.
  if (status === 503 && entries.length > 0) return new RefusedError(503, entries);
  return status >= 500
    ? errorOfAnswer(status, entries[0]?.message ?? "")
    : new RefusedError(status, entries);
}

/** One entry for each message, with the place in the record that it is about. */
function entriesOf(error: unknown): ErrorEntry[] {
  if (typeof error === "string") return [{ message: error }];
  if (!isObject(error)) return [];
  return Object.entries(error).flatMap(([place, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).map((message) => ({
      message: `${inPlace(place)}: ${String(message)}`,
      parameters: [{ key: "place", value: place }],
    })),
  );
}

/** `extents/0/extent_type` as `extent 1, extent type`. */
function inPlace(place: string): string {
  const words = place.replace(/s?\/(\d+)(?=\/|$)/g, (_, index: string) => ` ${Number(index) + 1}`);
  return words.replaceAll("/", ", ").replaceAll("_", " ");
}

/** Whether a record was not saved because somebody else has saved it since it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 409;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
