/** The calls the desk makes, one function each. */
import { field } from "../lib/cql";
import { answerOf, api, bodyOf } from "./client";
import type {
  AutomatedBlockList,
  CheckInAnswer,
  CheckInRequest,
  CheckOutRequest,
  CirculationSettingList,
  Credentials,
  EndSession,
  ItemList,
  Loan,
  LoanList,
  LoginAnswer,
  ManualBlockList,
  PatronGroup,
  PickSlipList,
  PrintEvent,
  SearchSlipList,
  ServerStatus,
  ServicePointList,
  StaffSlipList,
  TenantLocale,
  UserList,
} from "./types";

/** Signs in without expiry: the token comes in a header, for a page that is served over plain HTTP too. */
export async function signIn(tenant: string, credentials: Credentials) {
  const { data, response } = await answerOf(
    api.POST("/bl-users/login", {
      headers: { "X-Okapi-Tenant": tenant, "X-Okapi-Token": null },
      body: { ...credentials },
    }),
  );
  return { answer: data as LoginAnswer, token: response.headers.get("x-okapi-token") ?? "" };
}

export const signOut = () => bodyOf<void>(api.POST("/authn/logout"));

export const getLocale = () => bodyOf<TenantLocale>(api.GET("/locale"));

export const listServicePoints = () =>
  bodyOf<ServicePointList>(
    api.GET("/service-points", {
      params: { query: { limit: 1000, query: "cql.allRecords=1 sortby name" } },
    }),
  );

export const findUsersByBarcode = (barcode: string) =>
  bodyOf<UserList>(
    api.GET("/users", { params: { query: { query: field("barcode", "==", barcode), limit: 2 } } }),
  );

export const getPatronGroup = (id: string) =>
  bodyOf<PatronGroup>(api.GET("/groups/{id}", { params: { path: { id } } }));

export const listManualBlocks = (userId: string) =>
  bodyOf<ManualBlockList>(
    api.GET("/manualblocks", {
      params: { query: { query: field("userId", "==", userId), limit: 100 } },
    }),
  );

export const listAutomatedBlocks = (userId: string) =>
  bodyOf<AutomatedBlockList>(
    api.GET("/automated-patron-blocks/{userId}", {
      params: { path: { userId } },
    }),
  );

/** How many loans a patron has open; no loan is transferred. */
export const countOpenLoans = (userId: string) =>
  bodyOf<LoanList>(
    api.GET("/circulation/loans", {
      params: {
        query: { query: `(${field("userId", "==", userId)} and status.name<>"Closed")`, limit: 0 },
      },
    }),
  ).then((list) => list.totalRecords);

/** The open loan of the item with this barcode, whoever has it. */
export async function findOpenLoan(itemBarcode: string): Promise<Loan | undefined> {
  const { items } = await bodyOf<ItemList>(
    api.GET("/inventory/items", {
      params: { query: { query: field("barcode", "==", itemBarcode), limit: 1 } },
    }),
  );
  const item = items[0];
  if (!item) return undefined;
  const query = `(${field("itemId", "==", item.id)} and status.name<>"Closed")`;
  const list = await bodyOf<LoanList>(
    api.GET("/circulation/loans", { params: { query: { query, limit: 1 } } }),
  );
  return list.loans[0];
}

export const checkOut = (request: CheckOutRequest) =>
  bodyOf<Loan>(api.POST("/circulation/check-out-by-barcode", { body: { ...request } }));

export const checkIn = (request: CheckInRequest) =>
  bodyOf<CheckInAnswer>(api.POST("/circulation/check-in-by-barcode", { body: { ...request } }));

export const endPatronActionSessions = (endSessions: EndSession[]) =>
  bodyOf<void>(api.POST("/circulation/end-patron-action-session", { body: { endSessions } }));

export const listStaffSlips = () =>
  bodyOf<StaffSlipList>(
    api.GET("/staff-slips-storage/staff-slips", { params: { query: { limit: 1000 } } }),
  );

/** What is asked for and waits on the shelves around a service point. */
export const listPickSlips = (servicePointId: string) =>
  bodyOf<PickSlipList>(
    api.GET("/circulation/pick-slips/{servicePointId}", { params: { path: { servicePointId } } }),
  ).then((list) => list.pickSlips);

/** The holds around a service point; none unless the library prints search slips. */
export const listSearchSlips = (servicePointId: string) =>
  bodyOf<SearchSlipList>(
    api.GET("/circulation/search-slips/{servicePointId}", { params: { path: { servicePointId } } }),
  ).then((list) => list.searchSlips);

export const listCirculationSettings = (names: string[]) =>
  bodyOf<CirculationSettingList>(
    api.GET("/circulation/settings", {
      params: { query: { query: names.map((name) => field("name", "==", name)).join(" or ") } },
    }),
  ).then((list) => list.circulationSettings);

export const logPrinted = (event: PrintEvent) =>
  bodyOf<void>(api.POST("/circulation/print-events-entry", { body: { ...event } }));

/** What the server says about itself, outside FOLIO's API. */
export async function getServerStatus(): Promise<ServerStatus> {
  const response = await fetch("/status.json");
  if (!response.ok) throw new Error(`status.json answered ${response.status}`);
  return response.json();
}
