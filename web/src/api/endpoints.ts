/** The calls that the desk makes, one function each. */
import { field } from "../lib/cql";
import { api, bodyOf } from "./client";
import type {
  CheckInRequest,
  CheckOutRequest,
  EndSession,
  Loan,
  PrintEvent,
  ServerStatus,
} from "./types";

export const getLocale = () => bodyOf(api.GET("/locale"));

export const getServicePoint = (id: string) =>
  bodyOf(api.GET("/service-points/{id}", { params: { path: { id } } }));

export const listServicePoints = () =>
  bodyOf(
    api.GET("/service-points", {
      params: { query: { limit: 1000, query: "cql.allRecords=1 sortby name" } },
    }),
  );

export const findUsersByBarcode = (barcode: string) =>
  bodyOf(
    api.GET("/users", { params: { query: { query: field("barcode", "==", barcode), limit: 2 } } }),
  );

export const getPatronGroup = (id: string) =>
  bodyOf(api.GET("/groups/{id}", { params: { path: { id } } }));

export const listManualBlocks = (userId: string) =>
  bodyOf(
    api.GET("/manualblocks", {
      params: { query: { query: field("userId", "==", userId), limit: 100 } },
    }),
  );

export const listAutomatedBlocks = (userId: string) =>
  bodyOf(
    api.GET("/automated-patron-blocks/{userId}", {
      params: { path: { userId } },
    }),
  );

/** The number of a patron's open loans, without the loans. */
export const countOpenLoans = (userId: string) =>
  bodyOf(
    api.GET("/circulation/loans", {
      params: {
        query: { query: `(${field("userId", "==", userId)} and status.name<>"Closed")`, limit: 0 },
      },
    }),
  ).then((list) => list.totalRecords);

export const findItem = (barcode: string) =>
  bodyOf(
    api.GET("/inventory/items", {
      params: { query: { query: field("barcode", "==", barcode), limit: 1 } },
    }),
  ).then((list) => list.items[0]);

/** The open loan of the item with this barcode, of any patron. */
export async function findOpenLoan(itemBarcode: string): Promise<Loan | undefined> {
  const item = await findItem(itemBarcode);
  if (!item) return undefined;
  const query = `(${field("itemId", "==", item.id)} and status.name<>"Closed")`;
  const list = await bodyOf(
    api.GET("/circulation/loans", { params: { query: { query, limit: 1 } } }),
  );
  return list.loans[0];
}

export const checkOut = (request: CheckOutRequest) =>
  bodyOf(api.POST("/circulation/check-out-by-barcode", { body: request }));

export const checkIn = (request: CheckInRequest) =>
  bodyOf(api.POST("/circulation/check-in-by-barcode", { body: request }));

export const endPatronActionSessions = (endSessions: EndSession[]) =>
  bodyOf(api.POST("/circulation/end-patron-action-session", { body: { endSessions } }));

export const listStaffSlips = () =>
  bodyOf(api.GET("/staff-slips-storage/staff-slips", { params: { query: { limit: 1000 } } }));

/** The requested items to fetch from the shelves of a service point. */
export const listPickSlips = (servicePointId: string) =>
  bodyOf(
    api.GET("/circulation/pick-slips/{servicePointId}", { params: { path: { servicePointId } } }),
  ).then((list) => list.pickSlips);

/** The holds to search for at a service point; none unless the library prints search slips. */
export const listSearchSlips = (servicePointId: string) =>
  bodyOf(
    api.GET("/circulation/search-slips/{servicePointId}", { params: { path: { servicePointId } } }),
  ).then((list) => list.searchSlips);

export const listCirculationSettings = (names: string[]) =>
  bodyOf(
    api.GET("/circulation/settings", {
      params: { query: { query: names.map((name) => field("name", "==", name)).join(" or ") } },
    }),
  ).then((list) => list.circulationSettings);

/** Entries of the configuration, whose values are texts. */
export const listConfigurations = (module: string, name: string) =>
  bodyOf(
    api.GET("/configurations/entries", {
      params: {
        query: {
          query: `${field("module", "==", module)} and ${field("configName", "==", name)}`,
          limit: 1,
        },
      },
    }),
  ).then(({ configs }) => configs);

export const logPrinted = (event: PrintEvent) =>
  bodyOf(api.POST("/circulation/print-events-entry", { body: event }));

/** The server's status, outside FOLIO's API. */
export async function getServerStatus(): Promise<ServerStatus> {
  const response = await fetch("/status.json");
  if (!response.ok) throw new Error(`status.json answered ${response.status}`);
  return response.json();
}
