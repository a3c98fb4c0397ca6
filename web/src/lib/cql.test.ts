import { expect, test } from "vitest";
import { field } from "./cql";

test.each([
  ["123", 'barcode=="123"'],
  ['a"b', 'barcode=="a\\"b"'],
  ["a*b?c^", 'barcode=="a\\*b\\?c\\^"'],
  ["back\\slash", 'barcode=="back\\\\slash"'],
  ['x" or cql.allRecords=1', 'barcode=="x\\" or cql.allRecords=1"'],
])("the barcode %s stands for itself", (barcode, query) => {
  expect(field("barcode", "==", barcode)).toBe(query);
});
