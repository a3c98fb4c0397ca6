/** Values of the archives' lists in words: `linear_feet` is Linear feet. Whole words of the record stay as they are. */
import type { Reference } from "../../api/archivesTypes";
import { t } from "../../lib/i18n";
import { FIXED } from "./fixedValues";

export function inWords(value: string | null | undefined): string {
  if (!value) return "";
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value)) return value;
  const known = Object.hasOwn(FIXED, value) ? FIXED[value] : undefined;
  if (known) return t(known);
  return value.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
}

/** Languages are kept as three letters, scripts as four; the browser knows their names in the user's language. */
export function languageInWords(code: string, locale: string): string {
  const type = code.length === 4 ? "script" : "language";
  try {
    return new Intl.DisplayNames([locale], { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Text without the markup of finding aids, for rows and titles. */
export function plainText(text: string | null | undefined): string {
  return (text ?? "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&amp;", "&")
    .trim();
}

/** The title of a linked record, or its address until it was read. */
export function linkedTitle(link: Reference | undefined): string {
  const linked = link?._resolved;
  const title = linked?.display_string ?? linked?.long_display_string ?? linked?.title;
  return plainText(typeof title === "string" ? title : undefined) || (link?.ref ?? "");
}
