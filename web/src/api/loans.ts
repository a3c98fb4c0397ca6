/** Loans and what is done with them (docs/folio/loans.md, renewals.md, lost-items.md). */
import { allOf, field } from "../lib/cql";
import { api, bodyOf } from "./client";
import type { Taken } from "./types";

export type RenewalOverride = NonNullable<Taken<"/circulation/renew-by-id">["overrideBlocks"]>;

/** Loans of one patron in one call; more are not shown. */
export const MOST_LOANS = 1000;

export type LoanStatus = "Open" | "Closed";

/** A patron's open loans, the first due first, or the closed ones, the last returned first. */
export const listLoans = (userId: string, status: LoanStatus) =>
  bodyOf(
    api.GET("/circulation/loans", {
      params: {
        query: {
          query: `${allOf([field("userId", "==", userId), field("status.name", "==", status)])} sortby ${
            status === "Open" ? "dueDate" : "systemReturnDate/sort.descending"
          }`,
          limit: MOST_LOANS,
        },
      },
    }),
  );

export interface Renewal {
  itemId: string;
  userId: string;
  servicePointId?: string;
  overrideBlocks?: RenewalOverride;
}

export const renew = (renewal: Renewal) =>
  bodyOf(api.POST("/circulation/renew-by-id", { body: renewal }));

const byId = (id: string) => ({ params: { path: { id } } });

export const claimReturned = (
  loanId: string,
  body: Taken<"/circulation/loans/{id}/claim-item-returned">,
) => bodyOf(api.POST("/circulation/loans/{id}/claim-item-returned", { ...byId(loanId), body }));

export const declareLost = (
  loanId: string,
  body: Taken<"/circulation/loans/{id}/declare-item-lost">,
) => bodyOf(api.POST("/circulation/loans/{id}/declare-item-lost", { ...byId(loanId), body }));

/** A claimed item is missing: the loan ends. */
export const declareMissing = (loanId: string, comment: string) =>
  bodyOf(
    api.POST("/circulation/loans/{id}/declare-claimed-returned-item-as-missing", {
      ...byId(loanId),
      body: { comment },
    }),
  );

export const changeDueDate = (loanId: string, dueDate: string) =>
  bodyOf(
    api.POST("/circulation/loans/{id}/change-due-date", { ...byId(loanId), body: { dueDate } }),
  );

export const getLoan = (id: string) => bodyOf(api.GET("/circulation/loans/{id}", byId(id)));
