import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { listCirculationSettings, listServicePoints } from "../../api/endpoints";
import {
  getQueue,
  getRequest,
  listCancellationReasons,
  listRequests,
  listRequestsOf,
  type QueueOf,
} from "../../api/requests";
import { patronKey } from "../patrons/queries";
import { type RequestSearch, requestQuery } from "./requestSearch";

export const requestsOf = (userId: string, which: "Open" | "Closed") =>
  queryOptions({
    queryKey: [...patronKey(userId), "requests", which],
    queryFn: () => listRequestsOf(userId, which),
  });

/** The query key of all lists and queues of requests. */
export const requestsKey = ["requests"];

const PAGE = 100;

export const requestList = (search: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: [...requestsKey, "list", search],
    queryFn: ({ pageParam: offset }) =>
      listRequests({ query: requestQuery(search), limit: PAGE, offset }),
    initialPageParam: 0,
    getNextPageParam: ({ requests }, _pages, offset) =>
      requests.length < PAGE ? undefined : offset + PAGE,
  });

export const request = (id: string) =>
  queryOptions({ queryKey: [...requestsKey, id], queryFn: () => getRequest(id) });

export const queueOf = (of: QueueOf) =>
  queryOptions({
    queryKey: [...requestsKey, "queue", of],
    queryFn: () => getQueue(of).then(({ requests }) => requests),
  });

export const servicePoints = queryOptions({
  queryKey: ["service-points"],
  queryFn: listServicePoints,
  staleTime: 600_000,
});

export const cancellationReasons = queryOptions({
  queryKey: ["cancellation-reasons"],
  queryFn: listCancellationReasons,
  staleTime: 600_000,
});

/** Whether patrons ask for titles: queues are then those of titles. */
export const titleLevel = queryOptions({
  queryKey: ["title-level-requests"],
  queryFn: async () => {
    const settings = await listCirculationSettings(["generalTlr", "TLR"]);
    const setting = settings.find(({ name }) => name === "generalTlr") ?? settings[0];
    const isOn = setting?.value?.titleLevelRequestsFeatureEnabled;
    return isOn === true || isOn === "true";
  },
  staleTime: 600_000,
});
