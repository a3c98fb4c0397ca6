import { expect, test } from "vitest";
import type { CheckInAnswer } from "../../api/types";
import { destinationOf } from "./destination";

const item = (name: string, more: object = {}) => ({
  status: { name },
  location: { name: "Main stacks" },
  ...more,
});

test.each<[CheckInAnswer, string, string]>([
  [{ item: item("Available") }, "shelve", "Available at Main stacks"],
  [{ item: { status: { name: "Available" } } }, "shelve", "Available"],
  [
    { item: item("In transit", { inTransitDestinationServicePoint: { name: "Circ Desk 2" } }) },
    "send",
    "In transit to Circ Desk 2",
  ],
  [
    { item: item("In transit"), staffSlipContext: { item: { toServicePoint: "Online" } } },
    "send",
    "In transit to Online",
  ],
  [
    {
      item: item("Awaiting pickup"),
      staffSlipContext: { requester: { lastName: "Reader", firstName: "First", barcode: "77" } },
    },
    "hold",
    "Awaiting pickup for Reader, First (77)",
  ],
  [
    { item: item("Awaiting delivery"), staffSlipContext: { requester: { lastName: "Reader" } } },
    "hold",
    "Awaiting delivery for Reader",
  ],
  [{ item: item("Missing") }, "other", "Missing"],
  [{ item: {} }, "other", "Checked in"],
])("%o", (answer, handling, text) => {
  expect(destinationOf(answer)).toEqual({ handling, text });
});
