/** What the pages of the catalogue read. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  countFacets,
  countRequestsOfItem,
  findLoanOfItem,
  getHoldings,
  getInstanceView,
  getItem,
  searchInstances,
} from "../../api/catalogue";
import { untilBuilt } from "../../lib/beingBuilt";
import { FACET_PARAMETERS } from "./facets";
import { type CatalogueSearch, filterOf, queryOf } from "./search";

/** Everything of the catalogue; a save makes it stale. */
export const CATALOGUE = ["catalogue"];

const PAGE = 100;
/** mod-search answers no later results. */
const REACH = 10_000;

export const foundInstances = (search: CatalogueSearch) =>
  infiniteQueryOptions({
    queryKey: [...CATALOGUE, "search", queryOf(search)],
    queryFn: ({ pageParam }) => searchInstances(queryOf(search), pageParam, PAGE),
    initialPageParam: 0,
    getNextPageParam: ({ offset, totalRecords }) => {
      const next = offset + PAGE;
      return next < Math.min(totalRecords, REACH) ? next : undefined;
    },
    refetchInterval: untilBuilt,
  });

export const facetCounts = (search: CatalogueSearch) =>
  queryOptions({
    queryKey: [...CATALOGUE, "facets", filterOf(search)],
    queryFn: () => countFacets(filterOf(search), FACET_PARAMETERS),
    placeholderData: (last) => last,
    refetchInterval: untilBuilt,
  });

export const instanceView = (id: string) =>
  queryOptions({
    queryKey: [...CATALOGUE, "instance", id],
    queryFn: async () => (await getInstanceView(id)) ?? null,
  });

export const holdingsRecord = (id: string) =>
  queryOptions({ queryKey: [...CATALOGUE, "holdings", id], queryFn: () => getHoldings(id) });

export const inventoryItem = (id: string) =>
  queryOptions({ queryKey: [...CATALOGUE, "item", id], queryFn: () => getItem(id) });

/** Who has an item, and how many wait for it. */
export const itemCirculation = (id: string) =>
  queryOptions({
    queryKey: [...CATALOGUE, "item", id, "circulation"],
    queryFn: async () => {
      const [loan, requests] = await Promise.all([findLoanOfItem(id), countRequestsOfItem(id)]);
      return { loan: loan ?? null, requests };
    },
  });
