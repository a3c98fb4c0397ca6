import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as endpoints from "../../api/endpoints";
import { ConnectionLostError, RefusedError } from "../../api/errors";
import { BORROWER, CHECK_IN, ITEM, LOAN } from "../../api/samples";
import type { User } from "../../api/types";
import { inWords } from "../../lib/wording";
import { receiptOf } from "../check-out/checkOut";
import { createDeskQueue } from "./deskQueue";
import { type DeskOptions, loanOf, patronOf, returnOf } from "./scan";

vi.mock("../../api/endpoints");

const NOON = new Date("2026-01-01T12:00:00Z");
const OPTIONS: DeskOptions = { mode: "lend", servicePointId: "desk" };
const READER: User = { id: "reader", barcode: "77" };
const loan = (barcode: string, userId = READER.id) => ({
  ...LOAN,
  id: `loan of ${barcode}`,
  userId,
  dueDate: "",
  item: { ...ITEM, barcode },
  borrower: BORROWER,
});

/** A queue into which these barcodes were scanned without a pause. */
async function afterScanning(...barcodes: string[]) {
  const queue = createDeskQueue();
  for (const barcode of barcodes) queue.add(barcode, NOON, OPTIONS);
  await settled(queue);
  return queue;
}

const settled = (queue: ReturnType<typeof createDeskQueue>) =>
  vi.waitFor(() => {
    const { scans, pause } = queue.snapshot();
    const isOpen = ({ state }: { state: string }) => state === "waiting" || state === "working";
    if (!pause && scans.some(isOpen)) throw new Error("still running");
  });

const loans = (queue: ReturnType<typeof createDeskQueue>) =>
  queue.snapshot().scans.flatMap((scan) => loanOf(scan)?.id ?? []);

beforeEach(() => {
  vi.mocked(endpoints.findUsersByBarcode).mockImplementation(async (barcode) => {
    const users = barcode === READER.barcode ? [READER] : [];
    return { users, totalRecords: users.length };
  });
  vi.mocked(endpoints.checkOut).mockImplementation(async ({ itemBarcode }) => loan(itemBarcode));
});

afterEach(() => vi.resetAllMocks());

describe("the check-out queue", () => {
  test("takes the first scan for the patron's card and the others for items", async () => {
    const queue = await afterScanning("77", "a", "b");
    expect(patronOf(queue.snapshot().scans)).toEqual(READER);
    expect(loans(queue)).toEqual(["loan of a", "loan of b"]);
    expect(endpoints.checkOut).toHaveBeenCalledWith({
      itemBarcode: "a",
      userBarcode: "77",
      servicePointId: "desk",
    });
  });

  test("takes a barcode that no item has for the next patron's card, if it is one", async () => {
    const unknown = new RefusedError(422, [{ message: "", code: "ITEM_BARCODE_NOT_FOUND" }]);
    const next: User = { id: "next", barcode: "88" };
    vi.mocked(endpoints.findUsersByBarcode).mockImplementation(async (barcode) => {
      const users = [READER, next].filter((user) => user.barcode === barcode);
      return { users, totalRecords: users.length };
    });
    vi.mocked(endpoints.checkOut).mockImplementation(async ({ itemBarcode }) => {
      if (itemBarcode === "88" || itemBarcode === "nothing") throw unknown;
      return loan(itemBarcode);
    });
    const queue = await afterScanning("77", "a", "88", "b", "nothing");
    const { scans } = queue.snapshot();
    expect(patronOf(scans)).toEqual(next);
    expect(endpoints.checkOut).toHaveBeenCalledWith(
      expect.objectContaining({ itemBarcode: "b", userBarcode: "88" }),
    );
    expect(receiptOf(scans)).toHaveLength(1);
    expect(scans.at(-1)?.error).toBe(unknown);
  });

  test("says what it is when an item comes before the patron", async () => {
    vi.mocked(endpoints.findItem).mockResolvedValue({ ...ITEM, title: "A title" } as never);
    const queue = await afterScanning("a");
    expect(inWords(queue.snapshot().scans[0]?.error)).toBe(
      "This is an item: A title. Scan the patron's card first.",
    );
    expect(endpoints.checkOut).not.toHaveBeenCalled();
  });

  test("checks out nothing until it knows the patron", async () => {
    const queue = await afterScanning("unknown", "77", "a");
    const [first] = queue.snapshot().scans;
    expect(first?.error).toBeInstanceOf(RefusedError);
    expect(loans(queue)).toEqual(["loan of a"]);
    expect(endpoints.checkOut).toHaveBeenCalledTimes(1);
  });

  test("sends an override with its scan", async () => {
    vi.mocked(endpoints.checkOut).mockRejectedValueOnce(new RefusedError(422, []));
    const queue = await afterScanning("77", "a");
    const override = { comment: "Agreed", patronBlock: {} };
    queue.retry(2, { ...OPTIONS, mode: "lend", override });
    await settled(queue);
    expect(endpoints.checkOut).toHaveBeenLastCalledWith(
      expect.objectContaining({ itemBarcode: "a", overrideBlocks: override }),
    );
  });
});

describe("a change of mode", () => {
  const RETURN: DeskOptions = { mode: "return", servicePointId: "desk" };

  test("leaves each scan what it was scanned for, in the order of scanning", async () => {
    const calls: string[] = [];
    vi.mocked(endpoints.checkOut).mockImplementation(async ({ itemBarcode }) => {
      calls.push(`lend ${itemBarcode}`);
      return loan(itemBarcode);
    });
    vi.mocked(endpoints.checkIn).mockImplementation(async ({ itemBarcode }) => {
      calls.push(`take ${itemBarcode}`);
      return CHECK_IN;
    });
    const queue = createDeskQueue();
    queue.add("77", NOON, OPTIONS);
    queue.add("a", NOON, OPTIONS);
    queue.add("b", NOON, RETURN);
    queue.add("c", NOON, OPTIONS);
    await settled(queue);
    expect(calls).toEqual(["lend a", "take b", "lend c"]);
    expect(queue.snapshot().scans.map((scan) => returnOf(scan) !== undefined)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test("takes a card among the returns for the patron of the next loans", async () => {
    const unknown = new RefusedError(422, [{ message: "", code: "ITEM_BARCODE_NOT_FOUND" }]);
    vi.mocked(endpoints.checkIn).mockRejectedValue(unknown);
    const queue = createDeskQueue();
    queue.add("77", NOON, RETURN);
    queue.add("nothing", NOON, RETURN);
    queue.add("a", NOON, OPTIONS);
    await settled(queue);
    const { scans } = queue.snapshot();
    expect(patronOf(scans)).toEqual(READER);
    expect(scans[1]?.error).toBe(unknown);
    expect(loans(queue)).toEqual(["loan of a"]);
  });
});

describe("a proxy", () => {
  const sponsor = { id: "sponsor", barcode: "99", name: "Sponsor", proxyId: READER.id };

  test("borrows for the chosen sponsor", async () => {
    const queue = await afterScanning("77");
    queue.add("a", NOON, { mode: "lend", servicePointId: "desk", sponsor });
    await settled(queue);
    expect(endpoints.checkOut).toHaveBeenCalledWith(
      expect.objectContaining({ itemBarcode: "a", userBarcode: "99", proxyUserBarcode: "77" }),
    );
  });

  test("is not the next patron, whose card was scanned after the choice", async () => {
    const queue = await afterScanning("77");
    const other = { ...sponsor, proxyId: "somebody" };
    queue.add("a", NOON, { mode: "lend", servicePointId: "desk", sponsor: other });
    await settled(queue);
    expect(endpoints.checkOut).toHaveBeenCalledWith({
      itemBarcode: "a",
      userBarcode: "77",
      servicePointId: "desk",
    });
  });
});

describe("a check-out whose answer was lost", () => {
  beforeEach(() => {
    vi.mocked(endpoints.checkOut).mockRejectedValueOnce(new ConnectionLostError());
  });

  test("is not repeated if the server has made the loan", async () => {
    vi.mocked(endpoints.findOpenLoan).mockResolvedValue(loan("a"));
    const queue = await afterScanning("77", "a");
    queue.resume();
    await settled(queue);
    expect(loans(queue)).toEqual(["loan of a"]);
    expect(endpoints.checkOut).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["no one", undefined],
    ["another patron", loan("a", "other")],
  ])("is sent again when %s has the item", async (_, found) => {
    vi.mocked(endpoints.findOpenLoan).mockResolvedValue(found);
    const queue = await afterScanning("77", "a");
    queue.resume();
    await settled(queue);
    expect(endpoints.checkOut).toHaveBeenCalledTimes(2);
  });
});
