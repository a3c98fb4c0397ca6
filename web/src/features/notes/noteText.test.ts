import { expect, test } from "vitest";
import { isFormatted, noteOfText, textOfNote } from "./noteText";

test.each([
  ["<p>One</p><p>Two &amp; three</p>", "One\nTwo & three"],
  ["<ul><li><strong>Bold</strong></li></ul>", "Bold"],
  ["a<br/>b", "a\nb"],
  ["&amp;lt;", "&lt;"],
])("the text of %s", (html, text) => {
  expect(textOfNote(html)).toBe(text);
});

test("a text survives the way there and back", () => {
  const text = "5 < 6 & 7 > 6\nsecond line";
  expect(textOfNote(noteOfText(text))).toBe(text);
  expect(isFormatted(noteOfText(text))).toBe(false);
});

test.each([
  ["<p>plain<br></p>", false],
  ["<p><em>x</em></p>", true],
  ["<p class='a'>x</p>", true],
])("%s has formatting: %s", (html, formatted) => {
  expect(isFormatted(html)).toBe(formatted);
});
