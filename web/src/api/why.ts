/** Why something was decided, and what would be decided for other facts (docs/why.md). */
import { api, bodyOf } from "./client";
import type { Given, Schemas, Taken } from "./types";

export type Explanation = Schemas["Explanation"];
export type LoanExplanation = Given<"/carrel/why/loans/{id}">;
export type FeeExplanation = Given<"/carrel/why/fees/{id}">;
/** Each answer; those of loans and fees tell more. */
export type Explained = Explanation &
  Partial<Pick<LoanExplanation, "loan">> &
  Partial<Pick<FeeExplanation, "fee">>;

/** The facts to try in place of the records' own. */
export type WhatIf = NonNullable<Taken<"/carrel/why/renewal">["whatIf"]>;

type PlacedRequest = Taken<"/carrel/why/request">;

/** What is asked about. */
export type Question =
  | { about: "loan"; id: string }
  | { about: "fee"; id: string }
  | {
      about: "check-out";
      itemBarcode: string;
      userBarcode: string;
      proxyUserBarcode?: string;
      servicePointId: string;
    }
  | { about: "renewal"; itemId: string; userId: string }
  | { about: "request"; request: PlacedRequest };

export async function askWhy(question: Question, whatIf: WhatIf): Promise<Explained> {
  switch (question.about) {
    case "loan":
      return bodyOf(api.GET("/carrel/why/loans/{id}", byId(question.id, whatIf)));
    case "fee":
      return bodyOf(api.GET("/carrel/why/fees/{id}", byId(question.id, whatIf)));
    case "check-out": {
      const { about: _, ...names } = question;
      return bodyOf(api.POST("/carrel/why/check-out", { body: { ...names, whatIf } }));
    }
    case "renewal": {
      const { about: _, ...names } = question;
      return bodyOf(api.POST("/carrel/why/renewal", { body: { ...names, whatIf } }));
    }
    case "request":
      return bodyOf(api.POST("/carrel/why/request", { body: { ...question.request, whatIf } }));
  }
}

const byId = (id: string, query: WhatIf) => ({ params: { path: { id }, query } });
