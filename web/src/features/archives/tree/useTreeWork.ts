import { queryOptions, useQuery } from "@tanstack/react-query";
import { acceptChildren, getTreeRoot, getWaypoint, getWays } from "../../../api/archives";
import { TreeWork } from "./treeWork";

/** Not below the archives' key: the tree keeps itself up to date, and would lose what is open if it were read anew. */
const treeWork = (use: string, root: string, onlyPublished: boolean) =>
  queryOptions({
    queryKey: ["archives-tree", use, root, onlyPublished],
    queryFn: async () => {
      const calls = {
        root: () => getTreeRoot(root, onlyPublished),
        waypoint: (parent: string | undefined, offset: number) =>
          getWaypoint(root, parent, offset, onlyPublished),
        ways: (ids: number[]) => getWays(root, ids, onlyPublished),
        accept: acceptChildren,
      };
      return new TreeWork(calls, await calls.root());
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });

/** The tree to work with. */
export const useTreeWork = (root: string) => useQuery(treeWork("work", root, false));

/** The tree to read from its beginning to its end, with a state of its own. */
export const useReadTree = (root: string, onlyPublished: boolean) =>
  useQuery(treeWork("read", root, onlyPublished));
