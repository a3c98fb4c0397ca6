/**
 * The one place that talks HTTP to FOLIO's API, which the staff port serves under `/folio`.
 * Paths and parameters are checked against the server's own OpenAPI document (`schema.d.ts`).
 */
import createClient, { type Middleware } from "openapi-fetch";
import { ConnectionLostError, errorOfAnswer, SessionExpiredError } from "./errors";
import type { paths } from "./schema";

/** Who calls: sent with every request as `X-Okapi-Tenant` and `X-Okapi-Token`. */
export interface Caller {
  tenant: string;
  token?: string;
}

/** Milliseconds without an answer after which the connection counts as lost. */
const PATIENCE = 30_000;

let currentCaller: Caller | undefined;
let tellExpired: () => void = () => undefined;

/** The session announces here who is signed in, and that nobody is. */
export function setCaller(caller: Caller | undefined): void {
  currentCaller = caller;
}

/** The session listens here for a call that its token was refused for. */
export function onSessionExpired(listener: () => void): void {
  tellExpired = listener;
}

/** The headers of a call by `caller`. */
export function callerHeaders(caller = currentCaller): Record<string, string> {
  if (!caller) return {};
  const tenant = { "X-Okapi-Tenant": caller.tenant };
  return caller.token ? { ...tenant, "X-Okapi-Token": caller.token } : tenant;
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

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The body of an answer, or one of the errors of `errors.ts`. */
export async function bodyOf<Body>(call: Promise<Answer>): Promise<Body> {
  const answer = await answerOf(call);
  return answer.data as Body;
}

/** Like `bodyOf`, with the response, for the rare call whose headers matter. */
export async function answerOf(call: Promise<Answer>): Promise<Answer> {
  const answer = await call.catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  if (answer.response.ok) return answer;
  const error = errorOfAnswer(answer.response.status, answer.error);
  if (error instanceof SessionExpiredError) tellExpired();
  throw error;
}
