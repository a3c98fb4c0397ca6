import { useQuery } from "@tanstack/react-query";
import { getLocale } from "../../api/endpoints";
import { type Clock, clockOf } from "../../lib/dates";
import { localeFor, useLanguage } from "../../lib/i18n";
import { useSession } from "../session/session";

/** The library's time zone, in the user's language. */
export function useClock(): Clock {
  const clock = useLibraryClock();
  return { ...clock, locale: localeFor(useLanguage(), clock.locale) };
}

/** The library's locale and time zone, or the server's default until they have loaded. */
export function useLibraryClock(): Clock {
  const enabled = useSession() !== undefined;
  const locale = { queryKey: ["locale"], queryFn: getLocale, staleTime: Infinity, enabled };
  const { data } = useQuery(locale);
  return clockOf(data);
}
