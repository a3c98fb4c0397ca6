import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  countOpenLoans,
  getPatronGroup,
  listAutomatedBlocks,
  listManualBlocks,
} from "../../api/endpoints";
import type { User } from "../../api/types";
import { blocksInForce } from "./patron";

/** The query key of everything about a patron that a check-out changes. */
export const patronKey = (userId: string) => ["patrons", userId];

const openLoans = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "open-loans"],
    queryFn: () => countOpenLoans(userId),
  });

const blocks = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "blocks"],
    queryFn: async () => {
      const [{ manualblocks }, { automatedPatronBlocks }] = await Promise.all([
        listManualBlocks(userId),
        listAutomatedBlocks(userId),
      ]);
      return blocksInForce(manualblocks, automatedPatronBlocks, new Date());
    },
  });

const patronGroup = (groupId: string | undefined) =>
  queryOptions({
    queryKey: ["patron-groups", groupId],
    queryFn: () => getPatronGroup(groupId ?? ""),
    enabled: groupId !== undefined,
    staleTime: 600_000,
  });

export function usePatronDetails({ id, patronGroup: groupId }: User) {
  return {
    group: useQuery(patronGroup(groupId)),
    openLoans: useQuery(openLoans(id)),
    blocks: useQuery(blocks(id)),
  };
}
