/** Searches before the first index is complete: they are refused for now, and asked again. */
import { RefusedError } from "../api/errors";

const BUILDING = 503;
/** Milliseconds until the next attempt. */
const AGAIN = 3_000;

export const isBeingBuilt = (error: unknown) =>
  error instanceof RefusedError && error.status === BUILDING;

/** The `refetchInterval` of a search. */
export const untilBuilt = ({ state }: { state: { error: Error | null } }) =>
  isBeingBuilt(state.error) ? AGAIN : false;
