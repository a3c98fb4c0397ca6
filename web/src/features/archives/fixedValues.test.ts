import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FIXED } from "./fixedValues";
import { inWords } from "./values";

const ENUMERATIONS = join(
  import.meta.dirname,
  "../../../../crates/archives/data/enumerations.json",
);

interface List {
  name: string;
  editable: boolean;
  values: { value: string }[];
}

const lists: List[] = JSON.parse(readFileSync(ENUMERATIONS, "utf8")).enumerations;

/** The lists that the pages show, of those that no library can change. */
test.each([
  "archival_record_level",
  "container_location_status",
  "date_certainty",
  "date_type",
  "extent_portion",
  "linked_agent_role",
  "note_bibliography_type",
  "note_digital_object_type",
  "note_index_type",
  "note_langmaterial_type",
  "note_multipart_type",
  "note_singlepart_type",
  "subject_term_type",
])("every value of %s has a text", (name) => {
  const list = lists.find((one) => one.name === name);
  expect(list?.editable).toBe(false);
  const without = list?.values.filter(({ value }) => !Object.hasOwn(FIXED, value));
  expect(without).toEqual([]);
});

test("values of a library's own lists are shown in their own letters", () => {
  expect(inWords("linear_feet")).toBe("Linear feet");
  expect(inWords("Map case 3")).toBe("Map case 3");
  expect(inWords("constructor")).toBe("Constructor");
});
