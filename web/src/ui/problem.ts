/** What a failed call means for the person at the page. */
import { ConnectionLostError, RefusedError, SessionExpiredError } from "../api/errors";

export type Problem = "session-expired" | "connection-lost" | "forbidden" | "changed" | "refused";

export function problemOf(error: unknown): Problem {
  if (error instanceof SessionExpiredError) return "session-expired";
  if (error instanceof ConnectionLostError) return "connection-lost";
  if (error instanceof RefusedError && error.status === 403) return "forbidden";
  if (isStale(error)) return "changed";
  return "refused";
}

/** Another conflict, such as calendars that overlap, has a code of its own. */
const isStale = (error: unknown): boolean =>
  error instanceof RefusedError && error.status === 409 && !error.entries.some(({ code }) => code);

/** The reasons of a refusal by the field they name, for `Form`'s `validationErrors`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof RefusedError) || error.status !== 422) return {};
  return Object.fromEntries(
    error.entries.flatMap(({ message, parameters }) =>
      (parameters ?? []).map(({ key }) => [key, message] as const),
    ),
  );
}
