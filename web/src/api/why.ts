/** Why something was decided, and what would be decided for other facts (docs/why.md). */
import { findLoanOfItem } from "./catalogue";
import { api, bodyOf } from "./client";
import { RefusedError } from "./errors";
import { findFeeOfLoan } from "./fees";
import type { CheckInRequest, Given, Schemas, Taken } from "./types";

export type Explanation = Schemas["Explanation"];
export type LoanExplanation = Given<"/carrel/why/loans/{id}">;
export type FeeExplanation = Given<"/carrel/why/fees/{id}">;
export type PatronExplanation = Given<"/carrel/why/patrons/{id}">;
/** Each answer; those of loans, fees and blocks tell more. */
export type Explained = Explanation &
  Partial<Pick<LoanExplanation, "loan">> &
  Partial<Pick<FeeExplanation, "fee">> &
  Partial<Pick<PatronExplanation, "limits">>;

type Facts = NonNullable<Taken<"/carrel/why/renewal">["whatIf"]>;

/** What to try in place of the records' own facts, or for the end of a claim. */
export type WhatIf = Facts & Pick<CheckInRequest, "claimedReturnedResolution">;

type PlacedRequest = Taken<"/carrel/why/request">;

/** What is asked about. */
export type Question =
  | { about: "loan"; id: string }
  | { about: "fee"; id: string }
  /** The open loan of an item, for pages that know only the item. */
  | { about: "loan-of-item"; itemId: string }
  /** A fee that a return has charged, whose id the answer does not tell. */
  | { about: "fee-of-loan"; loanId: string; type: string }
  | {
      about: "check-out";
      itemBarcode: string;
      userBarcode: string;
      proxyUserBarcode?: string;
      servicePointId: string;
    }
  /** A return that was refused. */
  | ({ about: "check-in" } & CheckInRequest)
  /** A limit that blocks a patron. */
  | { about: "block"; userId: string; conditionId: string }
  | { about: "renewal"; itemId: string; userId: string }
  | { about: "request"; request: PlacedRequest };

export async function askWhy(question: Question, whatIf: WhatIf): Promise<Explained> {
  switch (question.about) {
    case "loan":
      return loanBecause(question.id, whatIf);
    case "fee":
      return feeBecause(question.id, whatIf);
    case "loan-of-item":
      return loanBecause(idOf(await findLoanOfItem(question.itemId)), whatIf);
    case "fee-of-loan":
      return feeBecause(idOf(await findFeeOfLoan(question.loanId, question.type)), whatIf);
    case "check-out": {
      const { about: _, ...names } = question;
      return bodyOf(api.POST("/carrel/why/check-out", { body: { ...names, whatIf } }));
    }
    case "check-in": {
      const { about: _, ...body } = question;
      return bodyOf(api.POST("/carrel/why/check-in", { body: { ...body, ...whatIf } }));
    }
    case "block":
      return blockBecause(question, whatIf);
    case "renewal": {
      const { about: _, ...names } = question;
      return bodyOf(api.POST("/carrel/why/renewal", { body: { ...names, whatIf } }));
    }
    case "request":
      return bodyOf(api.POST("/carrel/why/request", { body: { ...question.request, whatIf } }));
  }
}

const loanBecause = (id: string, whatIf: WhatIf): Promise<Explained> =>
  bodyOf(api.GET("/carrel/why/loans/{id}", byId(id, whatIf)));

const feeBecause = (id: string, whatIf: WhatIf): Promise<Explained> =>
  bodyOf(api.GET("/carrel/why/fees/{id}", byId(id, whatIf)));

/** The limit in question; those of the patron's other blocks have a question of their own. */
async function blockBecause(
  { userId, conditionId }: Question & { about: "block" },
  whatIf: WhatIf,
): Promise<Explained> {
  const answer = await bodyOf(api.GET("/carrel/why/patrons/{id}", byId(userId, whatIf)));
  return {
    ...answer,
    limits: answer.limits.filter(({ condition }) => condition.id === conditionId),
  };
}

const NOT_FOUND = 404;

/** The id of what was looked up; it may be gone since the page was drawn. */
function idOf(found: { id?: string } | undefined): string {
  if (!found?.id) throw new RefusedError(NOT_FOUND, []);
  return found.id;
}

const byId = (id: string, query: WhatIf) => ({ params: { path: { id }, query } });
