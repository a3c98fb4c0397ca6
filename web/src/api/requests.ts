/** Requests and their queues (docs/folio/requests.md, request-queues.md). */
import { allOf, field } from "../lib/cql";
import { api, bodyOf } from "./client";
import type { Page } from "./patrons";
import type { Given, Schemas, Taken } from "./types";

export type Request = Schemas["CirculationRequest"];
export type RequestInput = Taken<"/circulation/requests">;
export type RequestType = NonNullable<Request["requestType"]>;
export type RequestStatus = NonNullable<Request["status"]>;
export type CancellationReason = Schemas["CancellationReason"];
export type AllowedServicePoints = Given<"/circulation/requests/allowed-service-points">;
export type InventoryItem = Schemas["InventoryItem"];
export type InventoryInstance = Schemas["InventoryInstance"];

const byId = (id: string) => ({ params: { path: { id } } });

export const listRequests = (query: Page) =>
  bodyOf(api.GET("/circulation/requests", { params: { query } }));

/** A patron's open requests, or those that are over, the newest first. */
export const listRequestsOf = (requesterId: string, which: "Open" | "Closed") =>
  listRequests({
    query: `${allOf([field("requesterId", "==", requesterId), `status=="${which}*"`])} sortby requestDate/sort.descending`,
    limit: 1000,
  });

/** What waits for a patron on the hold shelf of a service point, the first to expire first. */
export const listReadyRequests = (requesterId: string, servicePointId: string) =>
  listRequests({
    query: `${allOf([
      field("requesterId", "==", requesterId),
      field("status", "==", "Open - Awaiting pickup"),
      field("pickupServicePointId", "==", servicePointId),
    ])} sortby holdShelfExpirationDate`,
    limit: 100,
  }).then(({ requests }) => requests);

export const getRequest = (id: string) => bodyOf(api.GET("/circulation/requests/{id}", byId(id)));

export const replaceRequest = (id: string, body: Request) =>
  bodyOf(api.PUT("/circulation/requests/{id}", { ...byId(id), body: body as RequestInput }));

export const moveRequest = (id: string, destinationItemId: string, requestType?: RequestType) =>
  bodyOf(
    api.POST("/circulation/requests/{id}/move", {
      ...byId(id),
      body: { destinationItemId, ...(requestType && { requestType }) },
    }),
  );

/** What is waited for: a copy, or any copy of a title. */
export interface QueueOf {
  kind: "item" | "instance";
  id: string;
}

export const getQueue = ({ kind, id }: QueueOf) =>
  kind === "item"
    ? bodyOf(
        api.GET("/circulation/requests/queue/item/{itemId}", { params: { path: { itemId: id } } }),
      )
    : bodyOf(
        api.GET("/circulation/requests/queue/instance/{instanceId}", {
          params: { path: { instanceId: id } },
        }),
      );

export interface Place {
  id: string;
  newPosition: number;
}

export const reorderQueue = ({ kind, id }: QueueOf, reorderedQueue: Place[]) =>
  kind === "item"
    ? bodyOf(
        api.POST("/circulation/requests/queue/item/{itemId}/reorder", {
          params: { path: { itemId: id } },
          body: { reorderedQueue },
        }),
      )
    : bodyOf(
        api.POST("/circulation/requests/queue/instance/{instanceId}/reorder", {
          params: { path: { instanceId: id } },
          body: { reorderedQueue },
        }),
      );

/** The types that are possible, each with its service points. */
export const listAllowedServicePoints = (
  query:
    | { operation: "create"; requesterId: string; itemId: string }
    | { operation: "create"; requesterId: string; instanceId: string }
    | { operation: "replace"; requestId: string },
) => bodyOf(api.GET("/circulation/requests/allowed-service-points", { params: { query } }));

export const listCancellationReasons = () =>
  bodyOf(
    api.GET("/cancellation-reason-storage/cancellation-reasons", {
      params: { query: { query: "cql.allRecords=1 sortby name", limit: 1000 } },
    }),
  ).then(({ cancellationReasons }) => cancellationReasons);

export const listItems = (query: Page) =>
  bodyOf(api.GET("/inventory/items", { params: { query } })).then(({ items }) => items);

export const getInstance = (id: string) => bodyOf(api.GET("/inventory/instances/{id}", byId(id)));

export const getHoldings = (id: string) =>
  bodyOf(api.GET("/holdings-storage/holdings/{id}", byId(id)));
