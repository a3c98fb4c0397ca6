/** Builds CQL from user input: all characters are taken literally. */

/** `name relation "value"`, with CQL's quotes and wildcards escaped. */
export function field(name: string, relation: "==" | "<>" | "=", value: string): string {
  return `${name}${relation}"${value.replace(/[\\"*?^]/g, "\\$&")}"`;
}
