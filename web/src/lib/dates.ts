/** Shows instants in the tenant's locale and time zone. */

export interface Clock {
  /** BCP 47, e.g. `en-US`. */
  locale: string;
  /** IANA name, e.g. `Europe/Berlin`. */
  timeZone: string;
}

/** The server's default for a tenant without settings. */
export const DEFAULT_CLOCK: Clock = { locale: "en-US", timeZone: "UTC" };

/** The tenant's clock; an unknown locale or zone falls back to the default. */
export function clockOf(settings: { locale?: string; timezone?: string } | undefined): Clock {
  const locale = usable(settings?.locale, (locale) => new Intl.DateTimeFormat(locale));
  const timeZone = usable(
    settings?.timezone,
    (timeZone) => new Intl.DateTimeFormat("en", { timeZone }),
  );
  return {
    locale: locale ?? DEFAULT_CLOCK.locale,
    timeZone: timeZone ?? DEFAULT_CLOCK.timeZone,
  };
}

function usable(value: string | undefined, probe: (value: string) => unknown): string | undefined {
  if (!value) return undefined;
  try {
    probe(value);
    return value;
  } catch {
    return undefined;
  }
}

/** Parses the server's dates: with `Z`, `+HH:MM` or `+HHMM`; without an offset they are UTC. */
export function parseInstant(text: string): Date | undefined {
  const iso = text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2");
  const timed = iso.includes("T");
  const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(iso);
  const instant = new Date(timed && !zoned ? `${iso}Z` : iso);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** Date and time, e.g. `Dec 9, 2022, 11:59 PM`. Unreadable text is shown as it is. */
export function formatDateTime(text: string, clock: Clock): string {
  return format(text, clock, { dateStyle: "medium", timeStyle: "short" });
}

/** The date only, e.g. `Dec 9, 2022`. */
export function formatDate(text: string, clock: Clock): string {
  return format(text, clock, { dateStyle: "medium" });
}

/** A day without a time and zone, such as `2026-01-31`. */
export function formatPlainDate(text: string, { locale }: Clock): string {
  return formatDate(text.slice(0, 10), { locale, timeZone: "UTC" });
}

function format(text: string, clock: Clock, style: Intl.DateTimeFormatOptions): string {
  const instant = parseInstant(text);
  if (!instant) return text;
  return new Intl.DateTimeFormat(clock.locale, { ...style, timeZone: clock.timeZone }).format(
    instant,
  );
}
