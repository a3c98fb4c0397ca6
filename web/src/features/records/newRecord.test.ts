import { afterEach, describe, expect, test, vi } from "vitest";
import { ConnectionLostError, RefusedError } from "../../api/errors";
import * as records from "../../api/records";
import { newListedRecord, newRecord } from "./newRecord";

vi.mock("../../api/records");

const { createRecord, getRecord, listRecords, replaceRecord } = vi.mocked(records);
const THERE = new RefusedError(422, [{ message: "id value already exists in table groups" }]);
const GONE = new RefusedError(404, []);
const LOST = new ConnectionLostError();

const start = () => newRecord("/groups", "g");
const SENT = { id: "g", group: "Readers" };

afterEach(() => vi.resetAllMocks());

/** An attempt whose answer was lost, and then one that is refused. */
async function lose(first: object) {
  const group = start();
  createRecord.mockRejectedValueOnce(LOST).mockRejectedValueOnce(THERE);
  await expect(group.save({ ...first })).rejects.toBe(LOST);
  return group;
}

test("each attempt is made with the same id", async () => {
  const group = start();
  createRecord.mockRejectedValueOnce(LOST).mockResolvedValueOnce({ ...SENT, _version: 1 });
  await expect(group.save({ group: "Readers" })).rejects.toBe(LOST);
  expect(await group.save({ group: "Readers" })).toEqual({ ...SENT, _version: 1 });
  expect(createRecord.mock.calls).toEqual([
    ["/groups", SENT],
    ["/groups", SENT],
  ]);
});

describe("a refusal after a lost answer", () => {
  test("is success if the record is there", async () => {
    const group = await lose({ group: "Readers" });
    getRecord.mockResolvedValue({ ...SENT, metadata: {} });
    expect(await group.save({ group: "Readers" })).toEqual({ ...SENT, metadata: {} });
    expect(replaceRecord).not.toHaveBeenCalled();
  });

  test("writes what was changed in the form meanwhile, and nothing else", async () => {
    const group = await lose({ group: "Reders", desc: "All" });
    getRecord.mockResolvedValue({ id: "g", group: "Reders", desc: "Everybody", _version: 2 });
    await group.save({ group: "Readers", desc: "All" });
    expect(replaceRecord).toHaveBeenCalledExactlyOnceWith("/groups", "g", {
      ...SENT,
      desc: "Everybody",
      _version: 2,
    });
  });

  test("stays a refusal if there is no such record", async () => {
    const group = await lose({ group: "Readers" });
    getRecord.mockRejectedValue(GONE);
    await expect(group.save({ group: "Readers" })).rejects.toBe(THERE);
  });

  test("is not known to be one while the record cannot be read", async () => {
    const group = await lose({ group: "Readers" });
    getRecord.mockRejectedValue(LOST);
    await expect(group.save({ group: "Readers" })).rejects.toBe(LOST);
  });
});

test("a refusal of the first attempt asks nothing", async () => {
  createRecord.mockRejectedValue(THERE);
  await expect(start().save({ group: "Readers" })).rejects.toBe(THERE);
  expect(getRecord).not.toHaveBeenCalled();
});

test("a record that was made is not made again when a later step fails", async () => {
  const group = start();
  createRecord.mockResolvedValueOnce(SENT).mockRejectedValueOnce(THERE);
  getRecord.mockResolvedValue(SENT);
  await group.save({ group: "Readers" });
  expect(await group.save({ group: "Readers" })).toEqual(SENT);
});

describe("a record whose id the server chooses", () => {
  const calendar = { name: "Summer", endDate: "2027-07-31" };
  const begin = () =>
    newListedRecord({ path: "/calendar/calendars", list: "calendars", names: ["name"] });

  test("is not looked for before an answer was lost", async () => {
    createRecord.mockRejectedValueOnce(THERE).mockResolvedValueOnce({ ...calendar, id: "c" });
    const made = begin();
    await expect(made.save(calendar)).rejects.toBe(THERE);
    expect(await made.save(calendar)).toEqual({ ...calendar, id: "c" });
    expect(listRecords).not.toHaveBeenCalled();
  });

  test("is taken from the list after that, and gets what was changed meanwhile", async () => {
    createRecord.mockRejectedValueOnce(LOST);
    const made = begin();
    await expect(made.save(calendar)).rejects.toBe(LOST);
    listRecords.mockResolvedValue([
      { name: "Winter", id: "w" },
      { ...calendar, id: "c" },
    ]);
    await made.save({ ...calendar, endDate: "2027-08-31" });
    expect(createRecord).toHaveBeenCalledTimes(1);
    expect(replaceRecord).toHaveBeenCalledExactlyOnceWith("/calendar/calendars", "c", {
      ...calendar,
      id: "c",
      endDate: "2027-08-31",
    });
  });

  test("is made if the list does not have it", async () => {
    createRecord.mockRejectedValueOnce(LOST).mockResolvedValueOnce({ ...calendar, id: "c" });
    listRecords.mockResolvedValue([]);
    const made = begin();
    await expect(made.save(calendar)).rejects.toBe(LOST);
    expect(await made.save(calendar)).toEqual({ ...calendar, id: "c" });
  });
});
