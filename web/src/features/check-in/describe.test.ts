import { expect, test } from "vitest";
import type { Loan } from "../../api/types";
import { describeCheckIn } from "./describe";

const item = { title: "A title", status: { name: "Available" }, location: { name: "Stacks" } };
const loan: Loan = {
  id: "1",
  loanDate: "2026-01-01T00:00:00.000+00:00",
  dueDate: "2026-02-01T00:00:00.000+00:00",
  returnDate: "2026-02-01T00:00:00.000Z",
  borrower: { lastName: "Reader", firstName: "First", barcode: "77" },
  item: {},
};
const late = { ...loan, returnDate: "2026-02-01T00:00:01.000Z" };

test.each([
  [{ item, inHouseUse: true }, ["Counted as used in the library."]],
  [{ item, inHouseUse: false }, ["It was not on loan."]],
  [{ item, loan }, ["Returned from the loan to Reader, First."]],
  [{ item, loan: late }, ["Returned from the loan to Reader, First.", "It was overdue."]],
  [{ item, loan: { ...loan, borrower: {} } }, ["Returned from loan."]],
])("%j", (answer, notes) => {
  expect(describeCheckIn(answer)).toEqual({
    title: "A title",
    outcome: "Available at Stacks",
    tone: "good",
    notes,
  });
});

const slip = {
  item: { toServicePoint: "Circ Desk 2" },
  request: { servicePointPickup: "Circ Desk 1", patronComments: "Soon, please" },
};

test.each([
  ["Awaiting pickup", slip, "Place it on the hold shelf at Circ Desk 1."],
  ["Awaiting pickup", {}, "Place it on the hold shelf."],
  ["Awaiting delivery", slip, "Check it out to the requester and route it for delivery."],
  ["In transit", slip, undefined],
  ["Available", slip, undefined],
])("an item that is %s, with %j: %s", (name, staffSlipContext, instruction) => {
  const answer = { item: { status: { name } }, staffSlipContext };
  expect(describeCheckIn(answer).instruction).toBe(instruction);
});

test("what the patron has asked of staff is shown", () => {
  const answer = { item: { status: { name: "Awaiting pickup" } }, staffSlipContext: slip };
  expect(describeCheckIn(answer).notes[0]).toBe("Patron comments: Soon, please");
});
