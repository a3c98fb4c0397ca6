/** What could be written at the caret of the rules. */
import { isLetter, type Letter, type NamedThing, type Vocabulary } from "./names";

export interface Completion {
  letter: Letter;
  /** Where the word begins that is being written. */
  start: number;
  choices: NamedThing[];
}

const SHOWN = 8;

/** The names that begin with, or else contain, what stands before the caret. */
export function completionAt(
  text: string,
  caret: number,
  vocabulary: Vocabulary,
): Completion | undefined {
  const line = text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret);
  if (/[#/]/.test(line)) return undefined;
  const word = /[0-9a-zA-Z-]*$/.exec(line)?.[0] ?? "";
  const before = line.slice(0, line.length - word.length);
  const letter = [...before.matchAll(/[0-9a-zA-Z-]+/g)].map(([token]) => token).findLast(isLetter);
  if (!letter || !/[\s!]$/.test(before)) return undefined;
  const choices = fitting(vocabulary[letter], word);
  return choices.length > 0 ? { letter, start: caret - word.length, choices } : undefined;
}

function fitting(things: readonly NamedThing[], typed: string): NamedThing[] {
  const wanted = typed.toLowerCase();
  const starts = things.filter(({ word }) => word.toLowerCase().startsWith(wanted));
  const contains = things.filter(
    (thing) =>
      !starts.includes(thing) &&
      (thing.word.toLowerCase().includes(wanted) || thing.name.toLowerCase().includes(wanted)),
  );
  return [...starts, ...contains].slice(0, SHOWN);
}
