import { describe, expect, test } from "vitest";
import { completionAt } from "./completion";
import { columnWithNames, thingsOf, toIds, toNames, unknownNames, type Vocabulary } from "./names";

const BOOK = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const WEEKS = "90bd1d7a-ba7e-4be8-b6cc-ad4eacddfebf";
const NOTHING = { t: [], a: [], b: [], c: [], s: [], g: [], r: [], n: [], o: [], i: [] };

const choice = (id: string, name: string, code?: string) => ({ id, name, record: { code } });

const VOCABULARY: Vocabulary = {
  ...NOTHING,
  m: thingsOf("m", [choice(BOOK, "book"), choice("dvd-id", "DVD, video")]),
  l: thingsOf("l", [choice(WEEKS, "Books, four weeks")]),
};

describe("names in place of ids", () => {
  const stored = `# m ${BOOK}\nm ${BOOK} dvd-id: l ${WEEKS}\n    m !${BOOK} + g all`;
  const read = `# m ${BOOK}\nm book DVD-video: l Books-four-weeks\n    m !book + g all`;

  test("are read and stored again as they were", () => {
    expect(toNames(stored, VOCABULARY)).toBe(read);
    expect(toIds(read, VOCABULARY)).toBe(stored);
  });

  test("a name that two have is not used", () => {
    const things = thingsOf("m", [choice("1", "Map"), choice("2", "Map")]);
    expect(things.map(({ word }) => word)).toEqual(["1", "2"]);
  });

  test("places have their codes, and what rules cannot write keeps its id", () => {
    expect(thingsOf("s", [choice("1", "Annex", "KU/CC/DI/A")])[0]?.word).toBe("KU-CC-DI-A");
    expect(thingsOf("m", [choice("1", "本"), choice("2", "all")]).map(({ word }) => word)).toEqual([
      "1",
      "2",
    ]);
  });

  test("unknown names are found with their lines", () => {
    expect(unknownNames("m book\nm boook: l Books-four-weeks # m x", VOCABULARY)).toEqual([
      { line: 2, letter: "m", name: "boook" },
    ]);
  });

  test("a column follows the names", () => {
    expect(columnWithNames(`m ${BOOK}: x`, 41, VOCABULARY)).toBe("m book: ".length);
  });
});

describe("completion", () => {
  test.each([
    ["m bo", ["book"]],
    ["m book d", ["DVD-video"]],
    ["m !", ["book", "DVD-video"]],
    ["m book: l four", ["Books-four-weeks"]],
    ["# m bo", undefined],
    ["x", undefined],
    ["m", undefined],
  ])("after %s", (text, words) => {
    expect(completionAt(text, text.length, VOCABULARY)?.choices.map(({ word }) => word)).toEqual(
      words,
    );
  });
});
