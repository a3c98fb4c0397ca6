/** Amounts of money as whole cents, so that no sum is rounded. */

/** The amount as typed or as the server gives it: up to two decimals after a point or a comma. */
export function centsOf(amount: string | number | undefined): bigint | undefined {
  const parts = /^(-?)(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(String(amount ?? "").trim());
  if (!parts) return undefined;
  const [, sign, whole = "", decimals = ""] = parts;
  const cents = BigInt(whole + decimals.padEnd(2, "0"));
  return sign ? -cents : cents;
}

/** For the server: `12.50`. */
export function decimalOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sumOf(amounts: readonly (string | number | undefined)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + (centsOf(amount) ?? 0n), 0n);
}

export interface Currency {
  locale: string;
  /** ISO 4217, e.g. `USD`. */
  currency: string;
}

/** `$12.50`; the digits go to the formatter as text. */
export function formatMoney(cents: bigint, { locale, currency }: Currency): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  return format.format(decimalOf(cents) as Intl.StringNumericLiteral);
}
