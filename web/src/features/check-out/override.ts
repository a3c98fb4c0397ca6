/** Which refusals of a check-out can be overridden, and how (docs/folio/check-out.md#overriding). */
import { RefusedError } from "../../api/errors";
import type { BlockName, OverrideBlocks } from "../../api/types";

const OVERRIDABLE: readonly string[] = [
  "patronBlock",
  "itemLimitBlock",
  "itemNotLoanableBlock",
] satisfies BlockName[];

/**
 * The blocks to override for this refusal, without duplicates. None if a reason cannot be overridden or not by this
 * user, because the server would refuse again.
 */
export function overridableBlocks(error: unknown): BlockName[] {
  if (!(error instanceof RefusedError) || error.entries.length === 0) return [];
  const blocks = error.entries.map(({ overridableBlock: block }) =>
    block && isBlockName(block.name) && !block.missingPermissions?.length ? block.name : undefined,
  );
  return blocks.every((block) => block !== undefined) ? [...new Set(blocks)] : [];
}

function isBlockName(name: string): name is BlockName {
  return OVERRIDABLE.includes(name);
}

/** The body's `overrideBlocks`; `dueDate` goes where an override needs one. */
export function overrideOf(
  blocks: readonly BlockName[],
  comment: string,
  dueDate: string,
): OverrideBlocks {
  const details = (block: BlockName) => (block === "itemNotLoanableBlock" ? { dueDate } : {});
  return { comment, ...Object.fromEntries(blocks.map((block) => [block, details(block)])) };
}

/** Adds the new overrides to those of earlier attempts. */
export function addOverride(
  earlier: OverrideBlocks | undefined,
  later: OverrideBlocks,
): OverrideBlocks {
  return { ...earlier, ...later };
}
