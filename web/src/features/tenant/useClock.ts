import { useQuery } from "@tanstack/react-query";
import { getLocale } from "../../api/endpoints";
import { type Clock, clockOf } from "../../lib/dates";
import { useSession } from "../session/session";

/** The tenant's locale and time zone, or the server's default until they have loaded. */
export function useClock(): Clock {
  const enabled = useSession() !== undefined;
  const locale = { queryKey: ["locale"], queryFn: getLocale, staleTime: Infinity, enabled };
  const { data } = useQuery(locale);
  return clockOf(data);
}
