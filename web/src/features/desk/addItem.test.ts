import { afterEach, expect, test, vi } from "vitest";
import { ConnectionLostError, RefusedError } from "../../api/errors";
import * as records from "../../api/records";
import type { References } from "../records/references";
import { withValue } from "../records/values";
import { blankItem, itemSaver, recordsOf } from "./addItem";

vi.mock("../../api/records");
vi.mock("../../api/endpoints");

afterEach(() => vi.resetAllMocks());

const LISTS: Record<string, { id: string; name: string }[]> = {
  "identifier-types": [{ id: "isbn-type", name: "ISBN" }],
  "holdings-sources": [{ id: "folio", name: "FOLIO" }],
};

const REFERENCES = {
  choices: (from: string) => LISTS[from] ?? [],
} as unknown as References;

const form = [
  ["instance.title", "A pamphlet"],
  ["contributor.name", "Writer, W."],
  ["contributor.contributorNameTypeId", "personal"],
  ["isbn", " 9783 "],
  ["dateOfPublication", "1998"],
  ["note", "Look for the map"],
].reduce((record, [path = "", value]) => withValue(record, path, value), blankItem("77"));

test("an item at the desk becomes three records, hidden from the public", () => {
  const { instance, holdings, item } = recordsOf(form, REFERENCES);
  expect(instance).toMatchObject({
    title: "A pamphlet",
    source: "FOLIO",
    discoverySuppress: true,
    contributors: [{ name: "Writer, W.", contributorNameTypeId: "personal", primary: true }],
    identifiers: [{ identifierTypeId: "isbn-type", value: "9783" }],
    publication: [{ dateOfPublication: "1998" }],
  });
  expect(holdings).toMatchObject({ instanceId: instance.id, sourceId: "folio" });
  expect(item).toMatchObject({
    barcode: "77",
    holdingsRecordId: holdings.id,
    status: { name: "Available" },
    circulationNotes: [{ noteType: "Check in", note: "Look for the map", staffOnly: true }],
  });
});

test("what was saved before a failure is not saved twice", async () => {
  const taken = new RefusedError(422, [{ message: "id value already exists" }]);
  const lost = new ConnectionLostError();
  vi.mocked(records.createRecord)
    .mockRejectedValueOnce(lost)
    .mockRejectedValueOnce(taken)
    .mockResolvedValue(undefined);
  vi.mocked(records.getRecord).mockResolvedValue({});
  const save = itemSaver(form);
  await expect(save(recordsOf(form, REFERENCES))).rejects.toBe(lost);
  await save(recordsOf(form, REFERENCES));
  expect(records.createRecord).toHaveBeenCalledTimes(4);
  expect(records.replaceRecord).not.toHaveBeenCalled();
});

test("a refusal is a refusal if the record is not there", async () => {
  const refused = new RefusedError(422, [{ message: "Barcode must be unique" }]);
  vi.mocked(records.createRecord).mockRejectedValueOnce(refused);
  vi.mocked(records.getRecord).mockRejectedValue(new RefusedError(404, []));
  await expect(itemSaver(form)(recordsOf(form, REFERENCES))).rejects.toBe(refused);
  expect(records.createRecord).toHaveBeenCalledTimes(1);
});
