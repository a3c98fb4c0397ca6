import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import {
  countOpenLoans,
  getPatronGroup,
  listAutomatedBlocks,
  listManualBlocks,
} from "../../api/endpoints";
import { listOpenAccounts } from "../../api/fees";
import {
  getUser,
  listAddressTypes,
  listGroups,
  listNotes,
  listProxies,
  listUsers,
  listUsersById,
} from "../../api/patrons";
import { listReadyRequests } from "../../api/requests";
import type { AutomatedBlock, ManualBlock, User } from "../../api/types";
import { textOfNote } from "../notes/noteText";
import { blocksInForce } from "./patron";
import { type PatronSearch, patronQuery } from "./patronSearch";

/** The query key of everything about a patron that a check-out changes. */
export const patronKey = (userId: string) => ["patrons", userId];

/** The patrons on one page of a list. */
const PAGE = 100;

export const patronList = (search: PatronSearch) =>
  infiniteQueryOptions({
    queryKey: ["patron-list", search],
    queryFn: ({ pageParam: offset }) =>
      listUsers({ query: patronQuery(search), limit: PAGE, offset }),
    initialPageParam: 0,
    getNextPageParam: ({ users }, _pages, offset) =>
      users.length < PAGE ? undefined : offset + PAGE,
  });

export const patron = (userId: string) =>
  queryOptions({ queryKey: [...patronKey(userId), "record"], queryFn: () => getUser(userId) });

const openLoans = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "open-loans"],
    queryFn: () => countOpenLoans(userId),
  });

export interface StoredBlocks {
  manual: ManualBlock[];
  automated: AutomatedBlock[];
}

/** The manual blocks as they are stored, and the automated ones. */
export const storedBlocks = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "blocks"],
    queryFn: async (): Promise<StoredBlocks> => {
      const [{ manualblocks }, { automatedPatronBlocks }] = await Promise.all([
        listManualBlocks(userId),
        listAutomatedBlocks(userId),
      ]);
      return { manual: manualblocks, automated: automatedPatronBlocks };
    },
  });

const blocks = (userId: string) => ({
  ...storedBlocks(userId),
  select: ({ manual, automated }: StoredBlocks) => blocksInForce(manual, automated, new Date()),
});

const patronGroup = (groupId: string | undefined) =>
  queryOptions({
    queryKey: ["patron-groups", groupId],
    queryFn: () => getPatronGroup(groupId ?? ""),
    enabled: groupId !== undefined,
    staleTime: 600_000,
  });

export const patronGroups = queryOptions({
  queryKey: ["patron-groups"],
  queryFn: listGroups,
  staleTime: 600_000,
});

export const addressTypes = queryOptions({
  queryKey: ["address-types"],
  queryFn: listAddressTypes,
  staleTime: 600_000,
});

/** A patron's proxies and sponsors, with their records. */
export const proxies = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "proxies"],
    queryFn: async () => {
      const relations = await listProxies(userId);
      const others = relations.map(({ userId: sponsor, proxyUserId }) =>
        sponsor === userId ? proxyUserId : sponsor,
      );
      const people = await listUsersById([...new Set(others.filter((id) => id !== undefined))]);
      return { relations, people: new Map(people.map((person) => [person.id, person])) };
    },
  });

/** What staff see at a glance at the desk. */
export function usePatronDetails({ id, patronGroup: groupId }: User) {
  return {
    group: useQuery(patronGroup(groupId)),
    openLoans: useQuery(openLoans(id)),
  };
}

/** What waits for the patron on the hold shelf of this service point. */
export const readyRequests = (userId: string, servicePointId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "ready", servicePointId],
    queryFn: () => listReadyRequests(userId, servicePointId),
  });

/** What the patron owes. */
export const openFees = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "open-fees"],
    queryFn: () => listOpenAccounts(userId),
  });

/** The notes about the patron, as plain text. */
export const deskNotes = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "desk-notes"],
    queryFn: async () =>
      (await listNotes(userId)).map(({ id, title, content, popUpOnCheckOut = false }) => ({
        id,
        title,
        text: textOfNote(content ?? ""),
        popUpOnCheckOut,
      })),
  });

/** The query keys of what loans and returns change of a patron. */
export const deskKeys = (userId: string) => ({
  openLoans: [...patronKey(userId), "open-loans"],
  blocks: [...patronKey(userId), "blocks"],
  fees: [...patronKey(userId), "open-fees"],
  ready: [...patronKey(userId), "ready"],
});

export const useBlocksInForce = (userId: string) => useQuery(blocks(userId));
