import { expect, test } from "vitest";
import { CHECK_IN, ITEM, SLIP } from "../../api/samples";
import type { CheckInAnswer } from "../../api/types";
import { destinationOf } from "./destination";

const item = (name: string, more: object = {}) => ({
  ...ITEM,
  status: { name },
  location: { name: "Main stacks" },
  ...more,
});

test.each<[Partial<CheckInAnswer>, string, string]>([
  [{ item: item("Available") }, "shelve", "Available at Main stacks"],
  [{ item: ITEM }, "shelve", "Available"],
  [
    { item: item("In transit", { inTransitDestinationServicePoint: { name: "Circ Desk 2" } }) },
    "send",
    "In transit to Circ Desk 2",
  ],
  [
    { item: item("In transit"), staffSlipContext: { ...SLIP, item: { toServicePoint: "Online" } } },
    "send",
    "In transit to Online",
  ],
  [
    {
      item: item("Awaiting pickup"),
      staffSlipContext: {
        ...SLIP,
        requester: { lastName: "Reader", firstName: "First", barcode: "77" },
      },
    },
    "hold",
    "Awaiting pickup for Reader, First (77)",
  ],
  [
    {
      item: item("Awaiting delivery"),
      staffSlipContext: { ...SLIP, requester: { lastName: "Reader" } },
    },
    "deliver",
    "Awaiting delivery for Reader",
  ],
  [{ item: item("Missing") }, "other", "Missing"],
])("%o", (answer, handling, text) => {
  expect(destinationOf({ ...CHECK_IN, ...answer })).toEqual({ handling, text });
});
