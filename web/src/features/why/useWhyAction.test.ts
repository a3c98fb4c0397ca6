import { describe, expect, test } from "vitest";
import type { DeskScan } from "../desk/scan";
import { questionAbout } from "./useWhyAction";

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
    expect(questionAbout(lent, scans)).toEqual({ about: "loan", id: "l" });
  });

  test("its refusal, for the patron of that moment", () => {
    expect(questionAbout(refused, scans)).toEqual({
      about: "check-out",
      itemBarcode: "b-3",
      userBarcode: "p-1",
      servicePointId: "desk",
    });
  });

  test("its refusal for the sponsor of that patron", () => {
    const sponsor = { id: "s", barcode: "s-1", name: "S", proxyId: "p" };
    const options = { mode: "lend", servicePointId: "desk", sponsor };
    const asked = scan(6, { state: "refused", options });
    expect(questionAbout(asked, [card, asked])).toMatchObject({
      userBarcode: "s-1",
      proxyUserBarcode: "p-1",
    });
  });

  test("the fee that a return has charged", () => {
    const fees = [{ type: "Overdue fine", amount: "1.00" }];
    const returned = scan(7, { answer: { returned: { loan: { id: "l" }, desk: { fees } } } });
    expect(questionAbout(returned, [returned])).toEqual({
      about: "fee-of-loan",
      loanId: "l",
      type: "Overdue fine",
    });
  });

  test("nothing about a card, a scan that waits, or one without a patron", () => {
    expect(questionAbout(card, scans)).toBeUndefined();
    expect(questionAbout(scan(5, { state: "waiting" }), scans)).toBeUndefined();
    expect(questionAbout(refused, [refused])).toBeUndefined();
  });
});
