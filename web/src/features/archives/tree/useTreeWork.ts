import { queryOptions, useQuery } from "@tanstack/react-query";
import { acceptChildren, getTreeRoot, getWaypoint, getWays } from "../../../api/archives";
import { TreeWork } from "./treeWork";

/** Not below the archives' key: the tree keeps itself up to date, and would lose what is open if it were read anew. */
const treeWork = (root: string) =>
  queryOptions({
    queryKey: ["archives-tree", root],
    queryFn: async () => {
      const calls = {
        root: () => getTreeRoot(root),
        waypoint: (parent: string | undefined, offset: number) => getWaypoint(root, parent, offset),
        ways: (ids: number[]) => getWays(root, ids),
        accept: acceptChildren,
      };
      return new TreeWork(calls, await calls.root());
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });

export const useTreeWork = (root: string) => useQuery(treeWork(root));
