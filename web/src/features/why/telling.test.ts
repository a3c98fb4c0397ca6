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
  expect(texts({ refusals }).filter((text) => text !== "Refused: No.")).toEqual([
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

describe("a block", () => {
  const limit = (name: string, id: string, more: object) => ({
    condition: { id, name },
    limit: 2,
    has: 3,
    stops: [],
    ...more,
  });

  test("is told with its limit, the patron's own figure and what ends it", () => {
    const charged = limit("Items", "3d7c52dc-c732-4223-8bf8-e5917801386f", {
      stops: [
        { action: "borrowing", less: 2 },
        { action: "renewals", less: 1 },
        { action: "requests", less: 1 },
      ],
    });
    expect(texts({ limits: [charged] })).toEqual([
      "Items: the limit of the patron group is 2, the patron has 3.",
      "When 2 items come back, it no longer stops borrowing.",
      "When 1 item comes back, it no longer stops renewals, requests.",
    ]);
    expect(outcomeOf({ ...EMPTY, limits: [charged] }, false, VIEW)).toBe(
      "Stops borrowing, renewals, requests",
    );
  });

  test("by fees is told in money", () => {
    const owed = limit("Balance", "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a", {
      stops: [{ action: "borrowing", less: 1 }],
    });
    expect(texts({ limits: [owed] })).toEqual([
      "Balance: the limit of the patron group is $2.00, the patron has $3.00.",
      "When $1.00 is paid or waived, it no longer stops borrowing.",
    ]);
  });

  test("is none for a group with a higher limit or without one", () => {
    const higher = limit("Items", "3d7c52dc-c732-4223-8bf8-e5917801386f", { limit: 50 });
    expect(texts({ limits: [higher] }, true)).toEqual([
      "Items: the limit of the patron group is 50, the patron has 3.",
      "The limit is not reached.",
    ]);
    expect(outcomeOf({ ...EMPTY, limits: [higher] }, true, VIEW)).toBe("What if: Stops nothing");
    const facts = { patronGroup: { id: "g", name: "faculty" } };
    expect(texts({ limits: [], facts })).toEqual([
      "faculty has no such limit, or the patron has no items and owes nothing.",
    ]);
  });

  test("that nothing ends is a limit of 0", () => {
    const none = limit("Items", "3d7c52dc-c732-4223-8bf8-e5917801386f", {
      limit: 0,
      stops: [{ action: "borrowing" }],
    });
    expect(texts({ limits: [none] })[1]).toBe(
      "A limit of 0 stops borrowing for all who have items or owe anything.",
    );
  });
});

describe("a return that is refused", () => {
  const refused = (because: object) =>
    texts({ refusals: [{ message: "No", because } as never] }).slice(1);

  test("for a claim is told with who claimed and who noted it", () => {
    const because = {
      cause: "claimedReturned",
      borrower: { id: "p", name: "Reader, Ann" },
      claimed: "2026-05-19T10:00:00.000Z",
      due: "2026-05-25T10:00:00.000Z",
      by: "Clerk, Cora",
      comment: "In the box",
    };
    expect(refused(because)).toEqual([
      "Reader, Ann says that it came back on May 19, 2026.",
      "The loan was due May 25, 2026, 10:00 AM.",
      "Clerk, Cora noted the claim.",
      "Comment: In the box",
      "Whether the library found it or the patron brought it decides the fine.",
    ]);
    expect(refused({ cause: "claimedReturned" })[0]).toBe(
      "No loan of the item is open, so nobody is known to have claimed it.",
    );
  });

  test("for its status, its shelf or a loss that no loan shows", () => {
    const since = "2026-05-25T10:00:00.000Z";
    expect(refused({ cause: "itemStatus", status: "Intellectual item", since })[0]).toBe(
      "The item has had the status “Intellectual item” since May 25, 2026, 10:00 AM.",
    );
    expect(
      refused({ cause: "noOpening", servicePoint: { id: "d", name: "Desk" }, requestId: "r" }),
    ).toEqual([
      "The calendar of Desk has no opening after the days on the hold shelf.",
      "A request waits for the item.",
    ]);
    const lost = { cause: "noLostLoan", status: "Lost and paid", recorded: true };
    expect(refused({ ...lost, loanId: "l", returned: since })).toEqual([
      "It had the status “Lost and paid”.",
      "Its last loan ended on May 25, 2026, 10:00 AM and does not say that the item was lost.",
    ]);
    expect(refused(lost)[1]).toBe("It was never on loan, so no fee can be given back.");
  });
});
