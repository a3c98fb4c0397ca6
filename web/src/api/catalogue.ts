/** The calls of the catalogue: searches, facets, lists to browse, an instance with all that belongs to it, marks of items. */
import { field } from "../lib/cql";
import { answerOf, api, bodyOf } from "./client";
import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type Instance = Schemas["InventoryInstance"];
export type HoldingsRecord = Schemas["HoldingsRecord"];
export type InventoryItem = Schemas["InventoryItem"];

/** A result of a search: what the index answers without `expandAll`. */
export interface FoundInstance {
  id: string;
  title: string;
  contributors?: { name: string; primary?: boolean }[];
  publication?: { publisher?: string; dateOfPublication?: string }[];
  dates?: { date1?: string; date2?: string };
  items?: { effectiveCallNumberComponents?: CallNumberParts }[];
  staffSuppress?: boolean;
  discoverySuppress?: boolean;
}

export interface CallNumberParts {
  prefix?: string;
  callNumber?: string;
  suffix?: string;
}

export interface FoundPage {
  instances: FoundInstance[];
  totalRecords: number;
  offset: number;
  /** Something that was saved elsewhere a moment ago may be missing. */
  isBehind: boolean;
}

export async function searchInstances(
  query: string,
  offset: number,
  limit: number,
): Promise<FoundPage> {
  const params = { query: { query, offset, limit } };
  const { data, response } = await answerOf(api.GET("/search/instances", { params }));
  return {
    instances: data.instances as unknown as FoundInstance[],
    totalRecords: data.totalRecords,
    offset,
    isBehind: response.headers.get("x-carrel-search-behind") === "true",
  };
}

export interface FacetValues {
  values: { id: string; totalRecords: number }[];
}

/** Counts of values, by facet. */
export async function countFacets(
  query: string,
  facets: readonly string[],
): Promise<Record<string, FacetValues>> {
  const params = {
    path: { recordType: "instances" },
    query: { query, facet: facets.join(",") },
  };
  const answer = await bodyOf(api.GET("/search/{recordType}/facets", { params } as never));
  return (answer as { facets: Record<string, FacetValues> }).facets;
}

type BrowsePath = Extract<keyof paths, `/browse/${string}`>;

/** A row of a list: its text is under another member in each list. */
export type BrowseRow = Record<string, unknown> & { totalRecords: number; isAnchor?: boolean };

export interface BrowsePage {
  items: BrowseRow[];
  totalRecords: number;
  prev?: string;
  next?: string;
}

export async function browse(
  path: BrowsePath,
  query: string,
  limit: number,
  option?: string,
): Promise<BrowsePage> {
  const params = {
    query: { query, limit, precedingRecordsCount: 5 },
    ...(option && { path: { browseOptionId: option } }),
  };
  const answer = await bodyOf(api.GET(path as "/browse/subjects/instances", { params } as never));
  return answer as unknown as BrowsePage;
}

/** A stored item, with ids in place of names. */
export type StoredItem = Omit<
  InventoryItem,
  "materialType" | "permanentLoanType" | "temporaryLoanType" | "effectiveLocation"
> & {
  materialTypeId: string;
  permanentLoanTypeId: string;
  temporaryLoanTypeId?: string;
  effectiveLocationId: string;
};

/** An instance with its holdings and items. */
export interface InstanceView {
  instance: Instance;
  holdingsRecords: HoldingsRecord[];
  items: StoredItem[];
  isBoundWith: boolean;
}

/** All of an instance in one call. */
export async function getInstanceView(id: string): Promise<InstanceView | undefined> {
  const params = { query: { query: field("id", "==", id), limit: 1 } };
  const answer = await bodyOf(api.GET("/inventory-view/instances", { params }));
  const [view] = (answer as unknown as { instances: Partial<InstanceView>[] }).instances;
  if (!view?.instance) return undefined;
  const { instance, holdingsRecords = [], items = [], isBoundWith = false } = view;
  return { instance, holdingsRecords, items, isBoundWith };
}

export const getItem = (id: string): Promise<InventoryItem> =>
  bodyOf(api.GET("/inventory/items/{id}", { params: { path: { id } } }));

export const getHoldings = (id: string): Promise<HoldingsRecord> =>
  bodyOf(api.GET("/holdings-storage/holdings/{id}", { params: { path: { id } } }));

type MarkPath = Extract<keyof paths, `/inventory/items/{id}/mark-${string}`>;

/** The last part of the path with which an item is marked, e.g. `mark-missing`. */
export type Mark = MarkPath extends `/inventory/items/{id}/${infer Name}` ? Name : never;

export async function markItem(id: string, mark: Mark): Promise<void> {
  const path = `/inventory/items/{id}/${mark}` as "/inventory/items/{id}/mark-missing";
  await bodyOf(api.POST(path, { params: { path: { id } } }));
}

/** The open loan of an item, if there is one. */
export const findLoanOfItem = (itemId: string) =>
  bodyOf(
    api.GET("/circulation/loans", {
      params: {
        query: { query: `${field("itemId", "==", itemId)} and status.name=="Open"`, limit: 1 },
      },
    }),
  ).then(({ loans }) => loans[0]);

/** The number of open requests for an item. */
export const countRequestsOfItem = (itemId: string) =>
  bodyOf(
    api.GET("/circulation/requests", {
      params: { query: { query: `${field("itemId", "==", itemId)} and status="Open"`, limit: 0 } },
    }),
  ).then(({ totalRecords }) => totalRecords ?? 0);
