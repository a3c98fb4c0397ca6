/** Builds CQL from user input: all characters are taken literally. */

/** `name relation "value"`, with CQL's quotes and wildcards escaped. */
export function field(name: string, relation: "==" | "<>" | "=", value: string): string {
  return `${name}${relation}"${escaped(value)}"`;
}

/** The value begins with the text. */
export function beginning(name: string, text: string): string {
  return `${name}=="${escaped(text.trim())}*"`;
}

/**
 * Each word of the text begins a word of the value, in any order; `Müller, An` finds Anna Müller. Signs between words, as in
 * `Müller · 123`, are no words.
 */
export function words(name: string, text: string): string {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const spoken = parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
  const all = spoken.length > 0 ? spoken : parts;
  return `${name} all "${all.map((word) => `${escaped(word)}*`).join(" ")}"`;
}

/** The value is one of these. */
export function oneOf(name: string, values: readonly string[]): string {
  return `${name}==(${values.map((value) => `"${escaped(value)}"`).join(" or ")})`;
}

/** All clauses that are given; everything if none is. */
export function allOf(clauses: readonly (string | undefined | false)[]): string {
  const given = clauses.filter((clause) => clause);
  return given.length > 0 ? given.map((clause) => `(${clause})`).join(" and ") : "cql.allRecords=1";
}

function escaped(value: string): string {
  return value.replace(/[\\"*?^]/g, "\\$&");
}
