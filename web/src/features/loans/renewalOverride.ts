/** Which refusals of a renewal can be overridden, and how (docs/folio/renewals.md#overriding-a-renewal). */
import { RefusedError } from "../../api/errors";
import type { RenewalOverride } from "../../api/loans";
import type { LoanScan } from "./loanRun";

const OVERRIDABLE = ["patronBlock", "renewalBlock", "renewalDueDateRequiredBlock"] as const;

export type RenewalBlock = (typeof OVERRIDABLE)[number];

/** The blocks to override; none if a reason cannot be overridden or not by this user. */
export function renewalBlocks({ options, error }: LoanScan): RenewalBlock[] {
  if (options.change.action !== "renew" || !(error instanceof RefusedError)) return [];
  const blocks = error.entries.map(({ overridableBlock: block }) =>
    block?.missingPermissions?.length ? undefined : OVERRIDABLE.find((b) => b === block?.name),
  );
  return blocks.every((block) => block !== undefined) ? [...new Set(blocks)] : [];
}

/** The body's `overrideBlocks`, with those of earlier attempts. */
export function renewalOverrideOf(
  earlier: RenewalOverride | undefined,
  blocks: readonly RenewalBlock[],
  comment: string,
  dueDate: string,
): RenewalOverride {
  const details = (block: RenewalBlock) =>
    block === "renewalDueDateRequiredBlock" ? { dueDate } : {};
  return {
    ...earlier,
    comment,
    ...Object.fromEntries(blocks.map((block) => [block, details(block)])),
  };
}
