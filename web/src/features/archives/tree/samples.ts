/** Small trees for tests: `a(b c(d))` is a with the children b and c, and d below c. */
import type { TreeChild } from "../../../api/archivesTypes";
import { changed, childrenOf, type Tree, treeOf } from "./model";

export const ROOT = "top";

export const childNamed = (uri: string, child_count = 0): TreeChild => ({
  uri,
  title: uri.toUpperCase(),
  child_count,
  suppressed: false,
  has_digital_instance: false,
});

/** A tree that was read to the end, with all nodes open. */
export function sampleTree(text: string, waypointSize = 3): Tree {
  const below = parsed(text);
  const size = (parent: string) => below.get(parent)?.length ?? 0;
  let tree = treeOf({
    uri: ROOT,
    title: "Top",
    child_count: size(ROOT),
    waypoint_size: waypointSize,
    precomputed_waypoints: {},
  });
  for (const [parent, uris] of below) {
    for (let from = 0; from < uris.length; from += waypointSize) {
      const children = uris
        .slice(from, from + waypointSize)
        .map((uri) => childNamed(uri, size(uri)));
      tree = changed(tree, { kind: "read", parent, waypoint: from / waypointSize, children });
    }
    tree = changed(tree, { kind: "open", uri: parent });
  }
  return tree;
}

/** Children by parent, parents before their children. */
function parsed(text: string): Map<string, string[]> {
  const below = new Map<string, string[]>();
  const way = [ROOT];
  let last = ROOT;
  for (const token of text.match(/[a-z0-9]+|[()]/g) ?? []) {
    if (token === "(") way.push(last);
    else if (token === ")") way.pop();
    else {
      const parent = way.at(-1) ?? ROOT;
      below.set(parent, [...(below.get(parent) ?? []), token]);
      last = token;
    }
  }
  return below;
}

/** The tree in the same words; what was not read is `?`. */
export function inWords(tree: Tree, parent = ROOT): string {
  const words = childrenOf(tree, parent).map((uri) => {
    if (uri === undefined) return "?";
    const below = inWords(tree, uri);
    return below ? `${uri}(${below})` : uri;
  });
  return words.join(" ");
}
