/**
 * Names in place of the ids that circulation rules are made of (docs/folio/circulation-rules.md): people read
 * `m book: l four-weeks`, the server stores ids. Comments stay as they are.
 */
import type { ReferenceChoice, ReferenceName } from "../../records/references";

/** What each letter of the rules stands for. */
export const LETTERS = {
  t: "loan-types",
  a: "institutions",
  b: "campuses",
  c: "libraries",
  s: "locations",
  m: "material-types",
  g: "groups",
  l: "loan-policies",
  r: "request-policies",
  n: "notice-policies",
  o: "overdue-policies",
  i: "lost-item-policies",
} as const satisfies Record<string, ReferenceName>;

export type Letter = keyof typeof LETTERS;

/** Places are known by their codes. */
const BY_CODE: readonly Letter[] = ["a", "b", "c", "s"];

const KEYWORDS = [
  "priority",
  "fallback-policy",
  "criterium",
  "number-of-criteria",
  "first-line",
  "last-line",
  "all",
];

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface NamedThing {
  id: string;
  /** As it is written in the rules. */
  word: string;
  name: string;
}

export type Vocabulary = Readonly<Record<Letter, readonly NamedThing[]>>;

export function isLetter(text: string): text is Letter {
  return Object.hasOwn(LETTERS, text);
}

/** A name with the characters that rules allow; empty if nothing is left. */
export function wordOf(name: string): string {
  const word = name.replace(/[^0-9a-zA-Z]+/g, "-").replace(/^-+|-+$/g, "");
  return word.length < 2 || KEYWORDS.includes(word) ? "" : word;
}

/** The words of the things that a letter stands for; the id itself where a name gives none or is not the only one. */
export function thingsOf(letter: Letter, choices: readonly ReferenceChoice[]): NamedThing[] {
  const words = choices.map(({ name, record }) =>
    wordOf(BY_CODE.includes(letter) ? String(record.code ?? name) : name),
  );
  return choices.map(({ id, name }, n) => {
    const word = words[n] ?? "";
    const isOnly = words.indexOf(word) === words.lastIndexOf(word);
    return { id, name, word: word && isOnly ? word : id };
  });
}

/** The part of a line that is no comment, and the comment. */
function parts(line: string): [rule: string, comment: string] {
  const at = line.search(/[#/]/);
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at)];
}

/** Changes each name of a line; `change` gets the letter before it. */
function changeNames(line: string, change: (name: string, letter: Letter) => string): string {
  const [rule, comment] = parts(line);
  let letter: Letter | undefined;
  const changed = rule.replace(/[0-9a-zA-Z-]+/g, (token) => {
    if (isLetter(token)) {
      letter = token;
      return token;
    }
    return letter && !KEYWORDS.includes(token) ? change(token, letter) : token;
  });
  return changed + comment;
}

/** The rules as people read them. */
export function toNames(text: string, vocabulary: Vocabulary): string {
  return text
    .split("\n")
    .map((line) =>
      changeNames(
        line,
        (name, letter) => vocabulary[letter].find(({ id }) => id === name)?.word ?? name,
      ),
    )
    .join("\n");
}

/** The rules as the server stores them. */
export function toIds(text: string, vocabulary: Vocabulary): string {
  return text
    .split("\n")
    .map((line) =>
      changeNames(
        line,
        (name, letter) => vocabulary[letter].find(({ word }) => word === name)?.id ?? name,
      ),
    )
    .join("\n");
}

export interface UnknownName {
  /** From 1. */
  line: number;
  letter: Letter;
  name: string;
}

/** Names that stand for nothing: the server would take those of criteria, and such a rule never applies. */
export function unknownNames(text: string, vocabulary: Vocabulary): UnknownName[] {
  const unknown: UnknownName[] = [];
  text.split("\n").forEach((line, n) => {
    changeNames(line, (name, letter) => {
      const isKnown = vocabulary[letter].some(({ id, word }) => word === name || id === name);
      if (!isKnown && !ID.test(name)) unknown.push({ line: n + 1, letter, name });
      return name;
    });
  });
  return unknown;
}

/** Where a column of a line with ids is in the line with names. */
export function columnWithNames(line: string, column: number, vocabulary: Vocabulary): number {
  return toNames(line.slice(0, Math.max(0, column - 1)), vocabulary).length;
}
