/** Fees and fines and the actions on them (docs/folio/fees-fines.md). Amounts go out as decimals in text. */
import { field } from "../lib/cql";
import { api, bodyOf } from "./client";
import type { Schemas, Taken } from "./types";

export type Account = Schemas["Account"];
export type AccountInput = Schemas["AccountInput"];
export type Movement = Schemas["Feefineaction"];
export type MovementInput = Schemas["FeefineactionInput"];
export type Owner = Schemas["Owner"];
export type FeeType = Schemas["Feefine"];
export type PaymentMethod = Schemas["Payment"];
export type WaiveReason = Schemas["Waive"];
export type RefundReason = Schemas["Refund"];
export type TransferAccount = Schemas["Transfer"];

export type Settlement = Omit<Taken<"/accounts-bulk/pay">, "accountIds">;
export type Cancellation = Omit<Taken<"/accounts-bulk/cancel">, "accountIds">;

const ALL = { limit: 1000 };

/** All fees of a patron, open and closed, the newest first. */
export const listAccounts = (userId: string) =>
  bodyOf(
    api.GET("/accounts", {
      params: {
        query: {
          ...ALL,
          query: `${field("userId", "==", userId)} sortby metadata.createdDate/sort.descending`,
        },
      },
    }),
  ).then(({ accounts }) => accounts);

/** The newest fee of this type for a loan. */
export const findFeeOfLoan = (loanId: string, type: string) =>
  bodyOf(
    api.GET("/accounts", {
      params: {
        query: {
          query: `${field("loanId", "==", loanId)} and ${field("feeFineType", "==", type)} sortby metadata.createdDate/sort.descending`,
          limit: 1,
        },
      },
    }),
  ).then(({ accounts }) => accounts[0]);

/** The fees that a patron still owes. */
export const listOpenAccounts = (userId: string) =>
  bodyOf(
    api.GET("/accounts", {
      params: {
        query: {
          ...ALL,
          query: `${field("userId", "==", userId)} and ${field("status.name", "==", "Open")}`,
        },
      },
    }),
  ).then(({ accounts }) => accounts);

/** What happened to all fees of a patron, the oldest first. */
export const listMovements = (userId: string) =>
  bodyOf(
    api.GET("/feefineactions", {
      params: {
        query: { ...ALL, query: `${field("userId", "==", userId)} sortby dateAction` },
      },
    }),
  ).then(({ feefineactions }) => feefineactions);

export const createAccount = (body: AccountInput) => bodyOf(api.POST("/accounts", { body }));

export const createMovement = (body: MovementInput) =>
  bodyOf(api.POST("/feefineactions", { body }));

/** Each takes one call for any number of fees; the server divides the amount among them. */
export const SETTLE = {
  pay: (accountIds: string[], body: Settlement) =>
    bodyOf(api.POST("/accounts-bulk/pay", { body: { ...body, accountIds } })),
  waive: (accountIds: string[], body: Settlement) =>
    bodyOf(api.POST("/accounts-bulk/waive", { body: { ...body, accountIds } })),
  transfer: (accountIds: string[], body: Settlement) =>
    bodyOf(api.POST("/accounts-bulk/transfer", { body: { ...body, accountIds } })),
  refund: (accountIds: string[], body: Settlement) =>
    bodyOf(api.POST("/accounts-bulk/refund", { body: { ...body, accountIds } })),
};

/** Cancels fees as errors. */
export const cancelAccounts = (accountIds: string[], body: Cancellation) =>
  bodyOf(api.POST("/accounts-bulk/cancel", { body: { ...body, accountIds } }));

const everything = { params: { query: { ...ALL, query: "cql.allRecords=1" } } };

export const listOwners = () => bodyOf(api.GET("/owners", everything)).then(({ owners }) => owners);

export const listFeeTypes = () =>
  bodyOf(api.GET("/feefines", everything)).then(({ feefines }) => feefines);

export const listPaymentMethods = () =>
  bodyOf(api.GET("/payments", everything)).then(({ payments }) => payments);

export const listWaiveReasons = () =>
  bodyOf(api.GET("/waives", everything)).then(({ waivers }) => waivers);

export const listRefundReasons = () =>
  bodyOf(api.GET("/refunds", everything)).then(({ refunds }) => refunds);

export const listTransferAccounts = () =>
  bodyOf(api.GET("/transfers", everything)).then(({ transfers }) => transfers);
