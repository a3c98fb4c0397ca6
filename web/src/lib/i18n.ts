/**
 * The words on the screen. A message is written in English where it is used, `t("{count, plural, one {# loan} other
 * {# loans}}", { count })`, and is its own id in the catalogues of `locales/` (web/README.md, "Adding a text").
 */
import { i18n, type Messages } from "@lingui/core";
import { type CompiledMessage, compileMessage } from "@lingui/message-utils/compileMessage";
import { Store, useStore } from "./store";

/** The languages of the pages, each in its own words. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

export type Language = keyof typeof LANGUAGES;

export type Values = Record<string, string | number>;

const KEPT_AS = "carrel.language";

const store = new Store<Language>("en");

const compiled = new Map<string, CompiledMessage>();

/** English needs no catalogue to be shown, so messages are compiled where they are first used. */
function compileOnce(message: string): CompiledMessage {
  const known = compiled.get(message);
  if (known !== undefined) return known;
  const result = compileMessage(message);
  compiled.set(message, result);
  return result;
}

i18n.setMessagesCompiler(compileOnce);
i18n.loadAndActivate({ locale: "en", messages: {} });

/** A message in the chosen language. Call it while rendering, not when a module loads: the language is not known then. */
export function t(message: string, values?: Values): string {
  return i18n._(message, values);
}

/** Marks a message of a table for the catalogues; it is translated later, by `t(row.label)`. */
export function msg(message: string): string {
  return message;
}

/** Each catalogue is a chunk of its own, one per language and area. */
const catalogues = import.meta.glob<{ default: Messages }>("../../locales/{de,es}/*.po");

export function useLanguage(): Language {
  return useStore(store);
}

/** Shows the pages in this language and keeps the choice in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, language);
  await activate(language);
}

/** The language chosen in this browser, or else the browser's. Called once, before the first render. */
export function restoreLanguage(): Promise<void> {
  return activate(languageFor(localStorage.getItem(KEPT_AS), navigator.languages));
}

/** The first language that we have: the kept one, then the browser's in the user's order. */
export function languageFor(kept: string | null, preferred: readonly string[]): Language {
  const wanted = [kept ?? "", ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? "en";
}

/** The locale for dates and numbers: the library's if it is in the user's language, such as en-GB. */
export function localeFor(language: Language, libraryLocale: string): string {
  return libraryLocale.toLowerCase().startsWith(language) ? libraryLocale : language;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

/** A catalogue that cannot be loaded leaves its texts in English, which is better than no page. */
async function activate(language: Language): Promise<void> {
  const wanted = Object.entries(catalogues).filter(([path]) => path.includes(`/${language}/`));
  const loaded = await Promise.all(wanted.map(([, load]) => load().catch(() => undefined)));
  const messages = Object.assign({}, ...loaded.map((catalogue) => catalogue?.default));
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  store.set(language);
}
