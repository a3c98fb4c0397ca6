import { useQuery } from "@tanstack/react-query";
import { getLocale } from "../../api/endpoints";
import { useClock } from "../tenant/useClock";
import type { Currency } from "./money";

/** The library's currency, written in the user's language. */
export function useCurrency(): Currency {
  const { locale } = useClock();
  const { data } = useQuery({ queryKey: ["locale"], queryFn: getLocale, staleTime: Infinity });
  return { locale, currency: currencyOf(data) };
}

function currencyOf(settings: object | undefined): string {
  const currency = settings && "currency" in settings ? String(settings.currency) : "";
  return /^[A-Z]{3}$/.test(currency) ? currency : "USD";
}
