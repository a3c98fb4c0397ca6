/** Which refusals of a check-out can be overridden, and with what (docs/folio/check-out.md#overriding). */
import { RefusedError } from "../../api/errors";
import type { BlockName, OverrideBlocks } from "../../api/types";

const OVERRIDABLE: readonly string[] = [
  "patronBlock",
  "itemLimitBlock",
  "itemNotLoanableBlock",
] satisfies BlockName[];

/**
 * The blocks to name in an override of this refusal, each once. None when a single reason cannot be
 * overridden, or not by this user: the server would refuse again.
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

/** The body's `overrideBlocks`; `dueDate` is used where a due date has to be given. */
export function overrideOf(
  blocks: readonly BlockName[],
  comment: string,
  dueDate: string,
): OverrideBlocks {
  const details = (block: BlockName) => (block === "itemNotLoanableBlock" ? { dueDate } : {});
  return { comment, ...Object.fromEntries(blocks.map((block) => [block, details(block)])) };
}

/** Overrides add up: a scan overridden once keeps its blocks when it is overridden again. */
export function addOverride(
  earlier: OverrideBlocks | undefined,
  later: OverrideBlocks,
): OverrideBlocks {
  return { ...earlier, ...later };
}
