/** What an explanation can be tried for. */
import type { Explained, Question, WhatIf } from "../../api/why";

export type Tried = keyof WhatIf;

const FACTS: readonly Tried[] = ["patronGroupId", "materialTypeId", "loanTypeId", "locationId"];

/** A block has no item, and a return depends on nothing but the end of a claim (docs/decisions/0070). */
export function triedAt(
  { about }: Question,
  { refusals }: Explained,
  whatIf: WhatIf,
): readonly Tried[] {
  if (about === "block") return ["patronGroupId"];
  if (about !== "check-in") return FACTS;
  const isClaim =
    whatIf.claimedReturnedResolution !== undefined ||
    refusals.some(({ because }) => because?.cause === "claimedReturned");
  return isClaim ? ["claimedReturnedResolution"] : [];
}
