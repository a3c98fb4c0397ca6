import { expect, test } from "vitest";
import { RefusedError } from "../../api/errors";
import { LOAN } from "../../api/samples";
import type { LoanChange, LoanScan } from "./loanRun";
import { renewalBlocks, renewalOverrideOf } from "./renewalOverride";

const refused = (change: LoanChange, ...blocks: (string | undefined)[]): LoanScan => ({
  id: 1,
  barcode: "1",
  scannedAt: new Date(0),
  inDoubt: false,
  state: "refused",
  options: { loan: LOAN, change, servicePointId: "desk" },
  error: new RefusedError(
    422,
    blocks.map((name) => ({
      message: "no",
      ...(name && { overridableBlock: { name, missingPermissions: [] } }),
    })),
  ),
});

test.each([
  [refused({ action: "renew" }, "renewalBlock", "patronBlock", "renewalBlock"), 2],
  [refused({ action: "renew" }, "renewalBlock", undefined), 0],
  [refused({ action: "renew" }, "itemLimitBlock"), 0],
  [refused({ action: "dueDate", dueDate: "" }, "renewalBlock"), 0],
])("of %o can be overridden: %s", (scan, count) => {
  expect(renewalBlocks(scan)).toHaveLength(count);
});

test("a date goes where it is needed, earlier overrides stay", () => {
  const blocks = ["renewalDueDateRequiredBlock"] as const;
  expect(renewalOverrideOf({ patronBlock: {}, comment: "a" }, blocks, "b", "2026")).toEqual({
    patronBlock: {},
    renewalDueDateRequiredBlock: { dueDate: "2026" },
    comment: "b",
  });
});
