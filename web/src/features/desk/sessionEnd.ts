import { endPatronActionSessions } from "../../api/endpoints";

/** Ends the patrons' sessions, so that their notices go out now and not after a timeout. */
export async function tellSessionsEnd(
  borrower: string | undefined,
  returning: readonly string[] = [],
): Promise<void> {
  const ends = [
    ...(borrower ? [{ patronId: borrower, actionType: "Check-out" as const }] : []),
    ...returning.map((patronId) => ({ patronId, actionType: "Check-in" as const })),
  ];
  if (ends.length > 0) await endPatronActionSessions(ends).catch(() => undefined);
}
