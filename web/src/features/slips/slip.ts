/** A printable slip: its template's name and its data. */
import type { Loan, SlipContext } from "../../api/types";
import type { SlipName } from "./templates";
import { type Printing, type SlipTokens, tokensOfContext, tokensOfLoan } from "./tokens";

export type Slip =
  | { name: Exclude<SlipName, "Due date receipt">; context: SlipContext }
  | { name: "Due date receipt"; loan: Loan };

export function tokensOf(slip: Slip, printing: Omit<Printing, "slipName">): SlipTokens {
  const named = { ...printing, slipName: slip.name };
  return "loan" in slip ? tokensOfLoan(slip.loan, named) : tokensOfContext(slip.context, named);
}
