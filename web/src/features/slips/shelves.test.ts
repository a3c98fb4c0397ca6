import { expect, test } from "vitest";
import { slipSettings } from "./shelves";

test.each([
  [[], { searches: false, logs: false }],
  [
    [{ name: "PRINT_HOLD_REQUESTS", value: { printHoldRequestsEnabled: true } }],
    { searches: true, logs: false },
  ],
  [
    [{ name: "printEventLogFeature", value: { enablePrintLog: "true" } }],
    { searches: false, logs: true },
  ],
  [
    [{ name: "printEventLogFeature", value: { enablePrintLog: "false" } }],
    { searches: false, logs: false },
  ],
])("%j", (settings, expected) => {
  expect(slipSettings(settings)).toEqual(expected);
});
