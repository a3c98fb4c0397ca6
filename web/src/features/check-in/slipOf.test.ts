import { expect, test } from "vitest";
import { CHECK_IN, ITEM } from "../../api/samples";
import { slipOf } from "./slipOf";

test.each([
  ["Awaiting pickup", "Hold"],
  ["Awaiting delivery", "Request delivery"],
  ["In transit", "Transit"],
  ["Available", undefined],
  ["toString", undefined],
])("an item that is %s gets the slip %s", (name, slip) => {
  expect(slipOf({ ...CHECK_IN, item: { ...ITEM, status: { name } } })?.name).toBe(slip);
});
