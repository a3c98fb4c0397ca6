/** Building CQL from what people type: every character of a value stands for itself. */

/** `name relation "value"`, with CQL's quoting and masking characters taken literally. */
export function field(name: string, relation: "==" | "<>" | "=", value: string): string {
  return `${name}${relation}"${value.replace(/[\\"*?^]/g, "\\$&")}"`;
}
