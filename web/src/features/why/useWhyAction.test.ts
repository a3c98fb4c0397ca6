import { describe, expect, test } from "vitest";
import { RefusedError } from "../../api/errors";
import type { DeskScan } from "../desk/scan";
import { questionsAbout } from "./useWhyAction";

const scan = (id: number, more: object) =>
  ({
    id,
    barcode: `b-${id}`,
    state: "answered",
    options: { mode: "lend", servicePointId: "desk" },
    ...more,
  }) as unknown as DeskScan;

describe("what is asked about a scan", () => {
  const card = scan(1, { answer: { patron: { id: "p", barcode: "p-1" } } });
  const lent = scan(2, { answer: { loan: { id: "l" } } });
  const refused = scan(3, { state: "refused" });
  const next = scan(4, { answer: { patron: { id: "q", barcode: "p-2" } } });
  const scans = [card, lent, refused, next];

  test("the loan that it made", () => {
    expect(questionsAbout(lent, scans)).toEqual([{ about: "loan", id: "l" }]);
  });

  test("its refusal, for the patron of that moment", () => {
    expect(questionsAbout(refused, scans)).toEqual([
      { about: "check-out", itemBarcode: "b-3", userBarcode: "p-1", servicePointId: "desk" },
    ]);
  });

  test("its refusal for the sponsor of that patron", () => {
    const sponsor = { id: "s", barcode: "s-1", name: "S", proxyId: "p" };
    const options = { mode: "lend", servicePointId: "desk", sponsor };
    const asked = scan(6, { state: "refused", options });
    expect(questionsAbout(asked, [card, asked])).toMatchObject([
      { userBarcode: "s-1", proxyUserBarcode: "p-1" },
    ]);
  });

  test("each fee that a return has charged", () => {
    const fees = [
      { type: "Overdue fine", amount: "1.00" },
      { type: "Lost item processing fee", amount: "5.00" },
    ];
    const returned = scan(7, { answer: { returned: { loan: { id: "l" }, desk: { fees } } } });
    expect(questionsAbout(returned, [returned])).toEqual([
      { about: "fee-of-loan", loanId: "l", type: "Overdue fine" },
      { about: "fee-of-loan", loanId: "l", type: "Lost item processing fee" },
    ]);
  });

  test("a return that the library refuses, and none that fails otherwise", () => {
    const options = { mode: "return", servicePointId: "desk" };
    const scannedAt = new Date("2026-11-21T12:00:00Z");
    const back = (error: Error) => scan(8, { state: "refused", options, scannedAt, error });
    const claimed = back(new RefusedError(422, [{ message: "Item is claimed returned, …" }]));
    expect(questionsAbout(claimed, [claimed])).toEqual([
      {
        about: "check-in",
        itemBarcode: "b-8",
        servicePointId: "desk",
        checkInDate: "2026-11-21T12:00:00.000Z",
      },
    ]);
    const unknown = { message: "No item with barcode b-8 exists", code: "ITEM_BARCODE_NOT_FOUND" };
    const others = [new RefusedError(422, [unknown]), new RefusedError(403, []), new Error("gone")];
    for (const other of others) expect(questionsAbout(back(other), [])).toEqual([]);
  });

  test("nothing about a card, a scan that waits, or one without a patron", () => {
    expect(questionsAbout(card, scans)).toEqual([]);
    expect(questionsAbout(scan(5, { state: "waiting" }), scans)).toEqual([]);
    expect(questionsAbout(refused, [refused])).toEqual([]);
  });
});
