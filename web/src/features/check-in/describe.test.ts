import { expect, test } from "vitest";
import { BORROWER, CHECK_IN, ITEM, LOAN, SLIP } from "../../api/samples";
import type { CheckInAnswer } from "../../api/types";
import { DEFAULT_CLOCK } from "../../lib/dates";
import { describeCheckIn } from "./describe";

const described = (answer: CheckInAnswer) => describeCheckIn(answer, DEFAULT_CLOCK, "USD");

const item = { ...ITEM, title: "A title", location: { name: "Stacks" } };
const loan = {
  ...LOAN,
  dueDate: "2026-02-01T00:00:00.000+00:00",
  returnDate: "2026-02-01T00:00:00.000Z",
  borrower: { ...BORROWER, lastName: "Reader", firstName: "First", barcode: "77" },
};
const late = { ...loan, returnDate: "2026-02-01T00:00:01.000Z" };

test.each([
  [{ item, inHouseUse: true }, ["Counted as used in the library."]],
  [{ item, inHouseUse: false }, ["It was not on loan."]],
  [{ item, loan }, ["Returned from the loan to Reader, First."]],
  [{ item, loan: late }, ["Returned from the loan to Reader, First.", "It was overdue."]],
  [{ item, loan: { ...loan, borrower: BORROWER } }, ["Returned from loan."]],
])("%j", (answer, notes) => {
  expect(described({ ...CHECK_IN, ...answer })).toMatchObject({
    title: "A title",
    outcome: "Available at Stacks",
    kind: "done",
    notes,
  });
});

const slip = {
  ...SLIP,
  item: { toServicePoint: "Circ Desk 2" },
  request: {
    requestID: "request",
    servicePointPickup: "Circ Desk 1",
    patronComments: "Soon, please",
  },
};

test.each([
  ["Awaiting pickup", slip, "Place it on the hold shelf at Circ Desk 1."],
  ["Awaiting pickup", SLIP, "Place it on the hold shelf."],
  ["Awaiting delivery", slip, "Check it out to the requester and route it for delivery."],
  ["In transit", slip, undefined],
  ["Available", slip, undefined],
])("an item that is %s, with %j: %s", (name, staffSlipContext, instruction) => {
  const answer = { ...CHECK_IN, item: { ...ITEM, status: { name } }, staffSlipContext };
  expect(described(answer).instruction).toBe(instruction);
});

test("what must not be missed about the item is said, and heard", () => {
  const desk = {
    statusBefore: "Missing",
    notes: ["Has a map"],
    numberOfPieces: "2",
    fees: [{ type: "Overdue fine", amount: "1.50" }],
  };
  const { kind, warnings } = described({ ...CHECK_IN, item, desk } as CheckInAnswer);
  expect(kind).toBe("attention");
  expect(warnings).toEqual([
    "It had the status “Missing”.",
    "Has a map",
    "Several pieces, check that all are there: 2.",
    "Charged: Overdue fine, $1.50.",
  ]);
});

test("the patron's comments are shown", () => {
  const item = { ...ITEM, status: { name: "Awaiting pickup" } };
  const answer = { ...CHECK_IN, item, staffSlipContext: slip };
  expect(described(answer).notes[0]).toBe("Patron comments: Soon, please");
});
