import { expect, test } from "vitest";
import { allOf, beginning, field, oneOf, words } from "./cql";

test.each([
  ["123", 'barcode=="123"'],
  ['a"b', 'barcode=="a\\"b"'],
  ["a*b?c^", 'barcode=="a\\*b\\?c\\^"'],
  ["back\\slash", 'barcode=="back\\\\slash"'],
  ['x" or cql.allRecords=1', 'barcode=="x\\" or cql.allRecords=1"'],
])("the barcode %s stands for itself", (barcode, query) => {
  expect(field("barcode", "==", barcode)).toBe(query);
});

test.each([
  ["Smith", 'name all "Smith*"'],
  ["Müller,  An", 'name all "Müller* An*"'],
  ["100%*", 'name all "100%\\**"'],
  ["Müller, Anna · 123", 'name all "Müller* Anna* 123*"'],
  ["·", 'name all "·*"'],
])("the words of %s begin words", (text, query) => {
  expect(words("name", text)).toBe(query);
});

test("a beginning and one of several values", () => {
  expect(beginning("barcode", ' 12"3 ')).toBe('barcode=="12\\"3*"');
  expect(oneOf("group", ["a", "b"])).toBe('group==("a" or "b")');
});

test("all clauses that are given, or everything", () => {
  expect(allOf(["a==1", undefined, false, "b==2 or c==3"])).toBe("(a==1) and (b==2 or c==3)");
  expect(allOf([undefined])).toBe("cql.allRecords=1");
});
