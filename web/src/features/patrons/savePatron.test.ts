import { afterEach, describe, expect, test, vi } from "vitest";
import { errorOfAnswer } from "../../api/errors";
import * as patrons from "../../api/patrons";
import type { User } from "../../api/types";
import { ChangedElsewhereError } from "../records/useDraft";
import { draftOf } from "./patronDraft";
import { fieldErrors, savePatron } from "./savePatron";

vi.mock("../../api/patrons");

const changedAt = (updatedDate: string): User => ({
  id: "reader",
  personal: { lastName: "Reader" },
  metadata: { createdDate: "2026-01-01T00:00:00Z", updatedDate },
});
const NONE = { id: "", save: vi.fn() };
const READ = changedAt("2026-01-01T00:00:00Z");

afterEach(() => vi.resetAllMocks());

describe("saving a patron", () => {
  test("writes over the record that was read", async () => {
    vi.mocked(patrons.getUser).mockResolvedValue(READ);
    await savePatron({ ...draftOf(READ), lastName: "Writer" }, READ, NONE);
    expect(patrons.replaceUser).toHaveBeenCalledWith(
      "reader",
      expect.objectContaining({ personal: expect.objectContaining({ lastName: "Writer" }) }),
    );
  });

  test("stops when somebody else has changed it", async () => {
    const current = changedAt("2026-01-01T00:05:00Z");
    vi.mocked(patrons.getUser).mockResolvedValue(current);
    const saved = savePatron(draftOf(READ), READ, NONE);
    await expect(saved).rejects.toEqual(new ChangedElsewhereError(current));
    expect(patrons.replaceUser).not.toHaveBeenCalled();
  });
});

test.each([
  [
    errorOfAnswer(422, { errors: [{ message: "User with this username already exists" }] }),
    { username: "Another patron has this user name." },
  ],
  [
    errorOfAnswer(400, "This barcode has already been taken"),
    { barcode: "Another patron has this barcode." },
  ],
  [errorOfAnswer(500, "Out of paper"), {}],
])("the fields that %s is about", (error, fields) => {
  expect(fieldErrors(error)).toEqual(fields);
});
