/** Saving the rules, unless somebody else changed them meanwhile or there is a mistake in them. */
import { getRules, saveRules } from "../../../api/settings";
import { msg, t } from "../../../lib/i18n";
import { columnWithNames, type Letter, toIds, unknownNames, type Vocabulary } from "./names";

/** A mistake where it stands in the text with names; line from 1, column from 0. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
}

export type Saved =
  | { outcome: "saved"; stored: string }
  | { outcome: "mistake"; mistake: Mistake }
  | { outcome: "changed"; latest: string };

export async function saveNamedRules(
  text: string,
  base: string,
  vocabulary: Vocabulary,
): Promise<Saved> {
  const unknown = unknownMistake(text, vocabulary);
  if (unknown) return { outcome: "mistake", mistake: unknown };
  const latest = await getRules();
  if (latest !== base) return { outcome: "changed", latest };
  const stored = toIds(text, vocabulary);
  const mistake = await saveRules(stored);
  if (!mistake) return { outcome: "saved", stored };
  const line = stored.split("\n")[mistake.line - 1] ?? "";
  const column = columnWithNames(line, mistake.column, vocabulary);
  return { outcome: "mistake", mistake: { ...mistake, column } };
}

/** What a letter stands for, as a mistake says it. */
const WHATS: Readonly<Record<Letter, string>> = {
  t: msg("loan type"),
  a: msg("institution"),
  b: msg("campus"),
  c: msg("library"),
  s: msg("location"),
  m: msg("material type"),
  g: msg("patron group"),
  l: msg("loan policy"),
  r: msg("request policy"),
  n: msg("notice policy"),
  o: msg("overdue fine policy"),
  i: msg("lost item policy"),
};

function unknownMistake(text: string, vocabulary: Vocabulary): Mistake | undefined {
  const [first] = unknownNames(text, vocabulary);
  if (!first) return undefined;
  const { line, letter, name } = first;
  return {
    line,
    column: text.split("\n")[line - 1]?.indexOf(name) ?? 0,
    message: t("There is no {what} “{name}”.", { what: t(WHATS[letter]), name }),
  };
}

/** Where a line and column are in the text. */
export function positionOf(text: string, { line, column }: Mistake): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  return before + Math.min(column, lines[line - 1]?.length ?? 0);
}
