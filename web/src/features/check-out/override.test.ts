import { describe, expect, test } from "vitest";
import { RefusedError, SessionExpiredError } from "../../api/errors";
import { addOverride, overridableBlocks, overrideOf } from "./override";

const block = (name: string, missingPermissions: string[] = []) => ({
  message: name,
  overridableBlock: { name, missingPermissions },
});

describe("the blocks of a refusal that can be overridden", () => {
  test.each([
    [[block("patronBlock")], ["patronBlock"]],
    [
      [block("patronBlock"), block("patronBlock"), block("itemLimitBlock")],
      ["patronBlock", "itemLimitBlock"],
    ],
    [[block("patronBlock"), { message: "Item is already checked out" }], []],
    [[block("patronBlock", ["circulation.override-patron-block.post"])], []],
    [[block("renewalBlock")], []],
    [[], []],
  ])("%j", (entries, blocks) => {
    expect(overridableBlocks(new RefusedError(422, entries))).toEqual(blocks);
  });

  test("no blocks in other errors", () => {
    expect(overridableBlocks(new SessionExpiredError())).toEqual([]);
  });
});

describe("an override", () => {
  const DUE = "2026-12-01T22:59:00.000Z";

  test("has a due date only if one is needed", () => {
    expect(overrideOf(["patronBlock", "itemNotLoanableBlock"], "Agreed", DUE)).toEqual({
      comment: "Agreed",
      patronBlock: {},
      itemNotLoanableBlock: { dueDate: DUE },
    });
  });

  test("keeps the blocks of an earlier override of the scan", () => {
    const earlier = overrideOf(["patronBlock"], "Agreed", DUE);
    const later = overrideOf(["itemLimitBlock"], "Once more", DUE);
    expect(addOverride(earlier, later)).toEqual({
      comment: "Once more",
      patronBlock: {},
      itemLimitBlock: {},
    });
  });
});
