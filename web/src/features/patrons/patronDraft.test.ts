import { expect, test } from "vitest";
import type { User } from "../../api/types";
import { draftOf, NEW_PATRON, userOf } from "./patronDraft";

const READER: User = {
  id: "reader",
  username: "reader",
  barcode: "77",
  active: true,
  departments: ["physics"],
  customFields: { shelf: "3" },
  expirationDate: "2028-11-09T23:59:59.000+00:00",
  metadata: { createdDate: "2026-01-01T00:00:00Z" },
  personal: {
    lastName: "Reader",
    email: "r@example.org",
    addresses: [{ addressTypeId: "home", city: "Leipzig", primaryAddress: true }],
  },
};

test("a record that nobody changes stays as it is, without what the server sets", () => {
  const { metadata: _, ...sent } = READER;
  expect(userOf(draftOf(READER), READER, "reader")).toEqual(sent);
});

test("an emptied text is not sent, a new one is trimmed", () => {
  const draft = { ...draftOf(READER), email: " ", firstName: " Ann ", barcode: "" };
  const user = userOf(draft, READER, "reader");
  expect(user.personal).not.toHaveProperty("email");
  expect(user.personal?.firstName).toBe("Ann");
  expect(user).not.toHaveProperty("barcode");
  expect(user.departments).toEqual(["physics"]);
});

test("a new day is stored as its midnight", () => {
  const draft = { ...draftOf(READER), expirationDate: "2030-01-31" };
  expect(userOf(draft, READER, "reader").expirationDate).toBe("2030-01-31T00:00:00.000+00:00");
});

test("a new patron is active and reached by e-mail", () => {
  const user = userOf({ ...NEW_PATRON, lastName: "New" }, undefined, "new");
  expect(user).toEqual({
    id: "new",
    active: true,
    type: "patron",
    personal: { lastName: "New", preferredContactTypeId: "002", addresses: [] },
  });
});
