import { useSession } from "../session/session";

/** The chosen service point; only for pages that require a choice. */
export function useServicePointId(): string {
  const id = useSession()?.servicePoint?.id;
  if (!id) throw new Error("no service point has been chosen");
  return id;
}
