/** What the pages of the archives read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import * as archives from "../../api/archives";
import type { AnyRecord } from "../../api/archivesTypes";
import { untilBuilt } from "../../lib/beingBuilt";
import { type ListState, queryOf } from "./lists/search";

/** Everything of the archives, for what changes many records. */
export const ARCHIVES_KEY = ["archives"];

export const repositories = queryOptions({
  queryKey: [...ARCHIVES_KEY, "repositories"],
  queryFn: archives.listRepositories,
  staleTime: 60_000,
});

export const archivesUser = queryOptions({
  queryKey: [...ARCHIVES_KEY, "user"],
  queryFn: archives.getArchivesUser,
  staleTime: 60_000,
});

/** All value lists, by name; they are small and seldom change. */
export const valueLists = queryOptions({
  queryKey: [...ARCHIVES_KEY, "value-lists"],
  queryFn: async () => {
    const lists = await archives.listValueLists();
    return Object.fromEntries(lists.map(({ name, values }) => [name, values]));
  },
  staleTime: 600_000,
});

export const found = (repository: number, state: ListState) =>
  infiniteQueryOptions({
    queryKey: [...ARCHIVES_KEY, "search", repository, state],
    queryFn: ({ pageParam }) => archives.search(repository, queryOf(state, pageParam)),
    initialPageParam: 1,
    getNextPageParam: ({ this_page, last_page }) =>
      this_page < last_page ? this_page + 1 : undefined,
    refetchInterval: untilBuilt,
  });

/** How the boxes of a repository circulate; null if they do not. */
export const circulation = (repository: number) =>
  queryOptions({
    queryKey: [...ARCHIVES_KEY, "circulation", repository],
    queryFn: () => archives.getCirculation(repository),
  });

export const recordKey = (uri: string) => [...ARCHIVES_KEY, "record", uri];

/** A record with the titles of what it names. */
export const record = <Kind extends AnyRecord>(uri: string) =>
  queryOptions({
    queryKey: recordKey(uri),
    queryFn: () => archives.getRecord<Kind>(uri, RESOLVED),
  });

const RESOLVED = [
  "subjects",
  "linked_agents",
  "top_container",
  "digital_object",
  "container_locations",
  "container_profile",
];
