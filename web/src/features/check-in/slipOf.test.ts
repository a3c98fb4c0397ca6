import { expect, test } from "vitest";
import { slipOf } from "./slipOf";

const staffSlipContext = { item: { title: "A title" } };

test.each([
  ["Awaiting pickup", "Hold"],
  ["Awaiting delivery", "Request delivery"],
  ["In transit", "Transit"],
  ["Available", undefined],
  ["toString", undefined],
])("an item that is %s gets the slip %s", (name, slip) => {
  expect(slipOf({ item: { status: { name } }, staffSlipContext })?.name).toBe(slip);
});

test("without a context there is nothing to print", () => {
  expect(slipOf({ item: { status: { name: "In transit" } } })).toBeUndefined();
});
