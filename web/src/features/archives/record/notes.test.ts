import { describe, expect, test } from "vitest";
import type { Note } from "../../../api/archivesTypes";
import { hasMore, linesOf, newNote, paragraphsOf, textsOf, withText } from "./notes";

const text = (content: string) => ({ jsonmodel_type: "note_text", content });
const LIST = { jsonmodel_type: "note_definedlist", items: [{ label: "a", value: "b" }] };

const NOTES: [string, Note, string[], boolean][] = [
  ["one part", { jsonmodel_type: "note_singlepart", content: ["a", "b"] }, ["a", "b"], false],
  [
    "many parts",
    { jsonmodel_type: "note_multipart", subnotes: [text("a"), LIST, text("b")] },
    ["a", "b"],
    true,
  ],
  ["a digital object", { jsonmodel_type: "note_digital_object", content: ["a"] }, ["a"], false],
  [
    "a bibliography",
    { jsonmodel_type: "note_bibliography", content: ["a"], items: ["x"] },
    ["a"],
    true,
  ],
  ["nothing", { jsonmodel_type: "note_multipart" }, [], false],
];

describe("the texts of a note", () => {
  test.each(NOTES)("of %s", (_, note, texts, more) => {
    expect([textsOf(note), hasMore(note)]).toEqual([texts, more]);
  });

  test.each(NOTES)("of %s are changed one by one", (_, note, texts) => {
    for (const at of texts.keys()) {
      const wanted = texts.map((one, place) => (place === at ? "new" : one));
      expect(textsOf(withText(note, at, "new"))).toEqual(wanted);
    }
  });

  test("leave lists as they are", () => {
    const note = withText(NOTES[1]?.[1] as Note, 1, "new");
    expect(note.subnotes?.[1]).toBe(LIST);
    expect(linesOf(note)).toEqual(["a: b"]);
  });
});

test("a new note has the form of its type", () => {
  expect(newNote("abstract", ["abstract"]).jsonmodel_type).toBe("note_singlepart");
  expect(textsOf(newNote("odd", ["abstract"]))).toEqual([""]);
});

test.each([
  ["a\n\nb", ["a", "b"]],
  ["<p>a</p><p>b <emph>c</emph></p>", ["a", "b c"]],
  ["", []],
])("%o has the paragraphs %o", (text, paragraphs) => {
  expect(paragraphsOf(text)).toEqual(paragraphs);
});
