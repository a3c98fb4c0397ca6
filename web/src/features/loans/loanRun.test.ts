import { afterEach, describe, expect, test, vi } from "vitest";
import { ConnectionLostError, RefusedError } from "../../api/errors";
import * as loans from "../../api/loans";
import { ITEM, LOAN } from "../../api/samples";
import type { Loan } from "../../api/types";
import { addToRun, createLoanRun, isMade, type LoanChange, type LoanRun } from "./loanRun";

vi.mock("../../api/loans");

const NOON = new Date("2026-01-01T12:00:00Z");
const loan = (id: string): Loan => ({
  ...LOAN,
  id,
  userId: "reader",
  renewalCount: 0,
  item: { ...ITEM, barcode: `barcode of ${id}` },
});

function runWith(change: LoanChange, ...ids: string[]): LoanRun {
  const run = createLoanRun();
  const tasks = ids.map((id) => ({ loan: loan(id), change, servicePointId: "desk" }));
  addToRun(run, tasks, NOON);
  return run;
}

const settled = (run: LoanRun) =>
  vi.waitFor(() => {
    const { scans, pause } = run.snapshot();
    if (!pause && scans.some(({ state }) => state === "waiting" || state === "working")) {
      throw new Error("still running");
    }
  });

const states = (run: LoanRun) => run.snapshot().scans.map(({ state }) => state);

afterEach(() => vi.resetAllMocks());

describe("a run over several loans", () => {
  test("goes on after a refusal and keeps its reasons", async () => {
    vi.mocked(loans.renew)
      .mockResolvedValueOnce(loan("a"))
      .mockRejectedValueOnce(new RefusedError(422, [{ message: "loan at maximum renewal number" }]))
      .mockResolvedValueOnce(loan("c"));
    const run = runWith({ action: "renew" }, "a", "b", "c");
    await settled(run);
    expect(states(run)).toEqual(["answered", "refused", "answered"]);
    expect(loans.renew).toHaveBeenLastCalledWith({
      itemId: "item",
      userId: "reader",
      servicePointId: "desk",
    });
  });

  test("asks whether a renewal was made before it sends it again", async () => {
    vi.mocked(loans.renew).mockRejectedValueOnce(new ConnectionLostError());
    vi.mocked(loans.getLoan).mockResolvedValue({ ...loan("a"), renewalCount: 1 });
    const run = runWith({ action: "renew" }, "a");
    await settled(run);
    run.resume();
    await settled(run);
    expect(states(run)).toEqual(["answered"]);
    expect(loans.renew).toHaveBeenCalledTimes(1);
  });
});

const DUE = "2026-02-01T22:59:59.000Z";

test.each<[LoanChange, Partial<Loan>, boolean]>([
  [{ action: "renew" }, { renewalCount: 1 }, true],
  [{ action: "renew" }, {}, false],
  [{ action: "dueDate", dueDate: DUE }, { dueDate: "2026-02-01T22:59:59.000+00:00" }, true],
  [{ action: "dueDate", dueDate: DUE }, { dueDate: "2026-01-31T22:59:59.000+00:00" }, false],
  [{ action: "lost", at: DUE, comment: "" }, { declaredLostDate: DUE }, true],
  [{ action: "missing", comment: "" }, { status: { name: "Closed" } }, true],
  [{ action: "claim", at: DUE, comment: "" }, {}, false],
])("whether %o was made of %o: %s", (change, now, made) => {
  expect(isMade(change, loan("a"), { ...loan("a"), ...now })).toBe(made);
});
