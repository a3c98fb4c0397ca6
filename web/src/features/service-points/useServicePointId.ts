import { useSession } from "../session/session";

/** The service point the desk works at; only pages behind its choice may ask. */
export function useServicePointId(): string {
  const id = useSession()?.servicePoint?.id;
  if (!id) throw new Error("no service point has been chosen");
  return id;
}
