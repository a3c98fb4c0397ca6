/**
 * The only HTTP client for FOLIO's API, which the staff port serves under `/folio`. Paths, parameters and bodies are
 * checked against the server's OpenAPI document (`schema.d.ts`).
 */
import createClient, { type Middleware } from "openapi-fetch";
import { ConnectionLostError, errorOfAnswer, SessionExpiredError } from "./errors";
import type { paths } from "./schema";

/**
 * Marks a call of a page. Only the pages of this server can send it, so only they use the session in the cookie
 * (docs/decisions/0064).
 */
export const PAGE = { "X-Carrel-Page": "1" } as const;

/** Whom the page believes to be. The server refuses its calls when somebody else has signed in from another tab. */
export interface Caller {
  tenant: string;
  userId: string;
}

/** Milliseconds without an answer after which a connection counts as lost. */
const PATIENCE = 30_000;

let currentCaller: Caller | undefined;
let tellExpired: () => void = () => undefined;

/** Set by the session when a user signs in or out. */
export function setCaller(caller: Caller | undefined): void {
  currentCaller = caller;
}

/** Called when the server refuses the session. */
export function onSessionExpired(listener: () => void): void {
  tellExpired = listener;
}

/** Tells the page that the session has ended. */
export function sessionExpired(): void {
  tellExpired();
}

export function callerHeaders(caller = currentCaller): Record<string, string> {
  if (!caller) return { ...PAGE };
  return { ...PAGE, "X-Okapi-Tenant": caller.tenant, "X-Okapi-User-Id": caller.userId };
}

const identify: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(callerHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
  },
};

export const api = createClient<paths>({
  baseUrl: "/folio",
  fetch: (request) => fetch(request, { signal: AbortSignal.timeout(PATIENCE) }),
});
api.use(identify);

interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** The body of an answer; throws one of the errors of `errors.ts`. */
export async function bodyOf<Body>(call: Promise<Answer<Body>>): Promise<Body> {
  const { data } = await answerOf(call);
  return data;
}

/** Like `bodyOf`, with the response for callers that need its headers. */
export async function answerOf<Body>(
  call: Promise<Answer<Body>>,
): Promise<{ data: Body; response: Response }> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  // The type of an answer without a body is undefined.
  if (response.ok) return { data: data as Body, response };
  const refused = errorOfAnswer(response.status, error);
  if (refused instanceof SessionExpiredError) tellExpired();
  throw refused;
}
