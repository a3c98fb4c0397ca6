import { describe, expect, test } from "vitest";
import type { AnyRecord } from "../../../api/archivesTypes";
import { changedParts, rebased } from "./drafts";

const BASE: AnyRecord = {
  uri: "/repositories/2/archival_objects/1",
  jsonmodel_type: "archival_object",
  lock_version: 3,
  title: "Letters",
  level: "file",
  dates: [{ label: "creation", expression: "1901", lock_version: 0, user_mtime: "then" }],
};

const with_ = (changes: object): AnyRecord => ({ ...BASE, ...changes });

describe("the changed parts of a draft", () => {
  test.each([
    [{}, []],
    [{ title: "Papers" }, ["title"]],
    [{ dates: [{ label: "creation", expression: "1901" }] }, []],
    [{ dates: [{ expression: "1902", label: "creation" }] }, ["dates"]],
    [{ publish: true }, ["publish"]],
    [{ component_id: "" }, []],
  ])("with %o are %o", (changes, parts) => {
    const mine = with_(changes);
    expect(changedParts({ base: BASE, mine }).filter((name) => name !== "component_id")).toEqual(
      parts,
    );
  });
});

describe("a draft on top of another's change", () => {
  test("keeps both changes if they are of different parts", () => {
    const theirs = with_({ level: "series", lock_version: 4 });
    const { draft, clashes } = rebased({ base: BASE, mine: with_({ title: "Papers" }) }, theirs);
    expect(clashes).toEqual([]);
    expect(draft.mine).toMatchObject({ title: "Papers", level: "series", lock_version: 4 });
  });

  test("keeps mine and names the part if both changed it", () => {
    const theirs = with_({ title: "Notes", lock_version: 4 });
    const { draft, clashes } = rebased({ base: BASE, mine: with_({ title: "Papers" }) }, theirs);
    expect(clashes).toEqual(["title"]);
    expect(draft.mine.title).toBe("Papers");
    expect(changedParts(draft)).toEqual(["title"]);
  });

  test("is no clash if both wrote the same", () => {
    const theirs = with_({ title: "Papers", lock_version: 4 });
    const { clashes } = rebased({ base: BASE, mine: with_({ title: "Papers" }) }, theirs);
    expect(clashes).toEqual([]);
  });
});
