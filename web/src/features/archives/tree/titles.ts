import { t } from "../../../lib/i18n";
import { plainText } from "../values";
import type { Tree } from "./model";

/** What is moved, in words: one title, or how many. */
export function moveTitle(tree: Tree, uris: readonly string[]): string {
  const [only] = uris;
  const title = uris.length === 1 && only ? plainText(tree.nodes.get(only)?.child.title) : "";
  return title
    ? `“${title}”`
    : t("{count, plural, one {# component} other {# components}}", { count: uris.length });
}
