import { describe, expect, test } from "vitest";
import type { Job } from "../../../api/archivesTypes";
import { isOver, secondsBetween, subjectOf, toneOf } from "./job";

const job = (changes: Partial<Job>): Job => ({
  uri: "/repositories/2/jobs/1",
  jsonmodel_type: "job",
  lock_version: 0,
  job_type: "import_job",
  job: {},
  status: "queued",
  ...changes,
});

describe("a job", () => {
  test.each([
    ["queued", false],
    ["running", false],
    ["completed", true],
    ["canceled", true],
    ["failed", true],
  ] as const)("that is %s is over: %s", (status, over) => {
    expect(isOver(job({ status }))).toBe(over);
  });

  test.each([
    [{ job: { filenames: ["a.xml", "b.xml"] } }, "a.xml, b.xml"],
    [{ job: { source: "/repositories/2/resources/1" } }, "/repositories/2/resources/1"],
    [{ job_type: "generate_arks_job" }, "generate arks"],
  ])("%o is about %s", (changes, subject) => {
    expect(subjectOf(job(changes))).toBe(subject);
  });
});

test("seconds are counted between two times", () => {
  expect(secondsBetween("2026-11-24T17:23:44Z", "2026-11-24T17:24:43Z")).toBe(59);
  expect(secondsBetween("2026-11-24T17:23:44Z", undefined)).toBeUndefined();
});

test.each([
  ["big.xml, line 12: title is invalid", "error"],
  ["extents: filled in", "warning"],
  ["100 records saved", undefined],
])("%o is %s", (line, tone) => {
  expect(toneOf(line)).toBe(tone);
});
