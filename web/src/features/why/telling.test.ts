import { describe, expect, test } from "vitest";
import type { Explained } from "../../api/why";
import { outcomeOf } from "./outcome";
import { tell } from "./telling";

const VIEW = {
  clock: { locale: "en-US", timeZone: "UTC" },
  currency: { locale: "en-US", currency: "USD" },
};

const POLICY = { kind: "loan", id: "p", name: "Three weeks" } as const;

const EMPTY: Explained = { facts: {}, rules: [], dates: [], refusals: [] };

const RULE = {
  policy: POLICY,
  line: 6,
  text: "g x: l p",
  readable: "g “staff”: l “Three weeks”",
  heads: ["m “book”"],
  isFallback: false,
};

const texts = (explained: Partial<Explained>, isTried = false) =>
  tell({ ...EMPTY, ...explained }, isTried, VIEW).map(({ text }) => text);

describe("a due date", () => {
  test("is told with its rule, its period and the closed day", () => {
    const explained: Explained = {
      ...EMPTY,
      rules: [RULE, { ...RULE, policy: { kind: "notice", id: "n", name: "None" } }],
      dates: [
        {
          because: "loanPeriod",
          from: "2026-06-01T10:00:00.000Z",
          to: "2026-06-22T10:00:00.000Z",
          duration: 3,
          interval: "Weeks",
        },
        {
          because: "calendar",
          strategy: "endOfNextOpenDay",
          from: "2026-06-22T10:00:00.000Z",
          to: "2026-06-23T23:59:59.000Z",
          day: { date: "2026-06-22", open: false, exception: "Whit Monday", hours: [] },
        },
      ],
      dueDate: "2026-06-23T23:59:59.000Z",
    };
    const told = tell(explained, false, VIEW);
    expect(told.map(({ text }) => text)).toEqual([
      "Line 6 of the circulation rules chooses Three weeks:",
      "The policy lends for 3 weeks: until Jun 22, 2026, 10:00 AM.",
      "Closed on Jun 22, 2026 (Whit Monday): moved to the next open day, Jun 23, 2026, 11:59 PM.",
    ]);
    expect(told[0]?.rule).toBe("m “book” + g “staff”");
    expect(told[0]?.link?.to).toBe("/settings/circulation-rules?line=6");
    expect(outcomeOf(explained, false, VIEW)).toBe("Due Jun 23, 2026, 11:59 PM");
    expect(outcomeOf(explained, true, VIEW)).toBe("What if: Due Jun 23, 2026, 11:59 PM");
  });

  test("that the rules of today do not give says so, and one by hand who set it", () => {
    const loan = {
      setBy: "checkOut",
      setAt: "2026-06-01T10:00:00.000Z",
      dueDate: "2026-06-08T10:00:00.000Z",
      policy: { ...POLICY, id: "older", name: "One week" },
      agrees: false,
      earlier: [],
    } as const;
    const explained = { rules: [RULE], loan: { ...loan, earlier: [] }, dueDate: loan.setAt };
    expect(texts(explained)).toEqual([
      "The check-out set this date, on Jun 1, 2026, 10:00 AM.",
      "Line 6 of the circulation rules chooses Three weeks:",
      "The rules, policies and calendars of today give Jun 1, 2026, 10:00 AM; something was changed since, or somebody overrode the policy.",
      "The loan itself still has the policy One week.",
    ]);
    const byHand = { ...explained.loan, setBy: "staff" as const, by: "Ash, Kim" };
    expect(texts({ ...explained, loan: byHand })[0]).toBe(
      "Ash, Kim set this date by hand, on Jun 1, 2026, 10:00 AM.",
    );
  });
});

test("a refusal is told with its cause", () => {
  const refusal = (because: NonNullable<Explained["refusals"][number]["because"]>) => ({
    message: "No",
    parameters: [],
    because,
  });
  const refusals = [
    refusal({ cause: "manualBlocks", blocks: [{ reason: "Owes money" }] }),
    refusal({ cause: "blockLimit", condition: { id: "c", name: "Fees" }, limit: 5, has: 7.5 }),
    refusal({ cause: "itemLimit", policy: POLICY, limit: 2, has: 2 }),
    refusal({ cause: "request", requestId: "r" }),
  ];
  expect(texts({ refusals }).filter((text) => text !== "Refused: No")).toEqual([
    "Staff blocked the patron: Owes money",
    "Fees: the limit of the patron group is 5, the patron has 7.5.",
    "Three weeks allows 2 such items, the patron has 2.",
    "A request waits for the item.",
  ]);
  expect(outcomeOf({ ...EMPTY, refusals }, false, VIEW)).toBe("Refused");
});

test("a fine is told with how late, the rate and the maximum", () => {
  const fine = {
    due: "2026-06-01T10:00:00.000Z",
    until: "2026-06-04T11:30:00.000Z",
    minutes: 4410,
    graceMinutes: 60,
    closedHoursCount: true,
    recalled: false,
    policy: { kind: "overdueFine" as const, id: "o", name: "A quarter" },
    quantity: 0.25,
    interval: "day",
    intervals: 4,
    full: 1,
    maximum: 0.5,
    amount: 0.5,
  };
  const fee = { kind: "overdueFine" as const, charged: 1, computed: 0.5, agrees: false };
  expect(texts({ fine, fee })).toEqual([
    "Due Jun 1, 2026, 10:00 AM, back or renewed Jun 4, 2026, 11:30 AM.",
    "Late by 3 days, 1 hour, 30 minutes, closed hours included.",
    "Nothing is charged up to 1 hour.",
    "The overdue fine policy is A quarter.",
    "$0.25 for each day begun: 4 × $0.25 = $1.00.",
    "The policy charges no more than $0.50.",
    "The rules and policies of today give another amount; something was changed since.",
  ]);
  expect(outcomeOf({ ...EMPTY, fine, fee }, false, VIEW)).toBe("$1.00");
  expect(outcomeOf({ ...EMPTY, fine, fee }, true, VIEW)).toBe("What if: $0.50");
});
