import { describe, expect, test } from "vitest";
import type { Job } from "../../../api/archivesTypes";
import { doneSoFar, endingOf, isOver, partOf, secondsBetween, subjectOf, toneOf } from "./job";

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

  test("names what it is about by its title, once that is known", () => {
    expect(subjectOf(job({ job: { source: "/repositories/2/resources/1" } }), "Papers")).toBe(
      "Papers",
    );
  });

  test.each([
    [{ queue_position: 0 }, "The job is the next one.", undefined],
    [{ queue_position: 2 }, "2 jobs are before this one.", undefined],
    [{ status: "running" }, "The job is under way…", undefined],
    [{ progress: { read: 0, written: 0, total: 0 } }, "The job is under way…", undefined],
    [{ progress: { read: 1, written: 0, total: 0 } }, "1 record is read.", undefined],
    [{ progress: { read: 8, written: 3, total: 4 } }, "3 of 4 records are written.", 0.75],
    [{ progress: { read: 0, written: 9, total: 4 } }, "9 of 4 records are written.", 1],
  ] as const)("that is %o says %s", (changes, told, part) => {
    expect([doneSoFar(job(changes)), partOf(job(changes))]).toEqual([told, part]);
  });

  test.each([
    [{ job_type: "ead_export_job" }, "xml"],
    [{ job_type: "print_to_pdf_job" }, "pdf"],
    [{ job_type: "report_job", job: { format: "csv" } }, "csv"],
    [{ job_type: "find_and_replace_job" }, "csv"],
  ])("%o makes a file that ends with %s", (changes, ending) => {
    expect(endingOf(job(changes))).toBe(ending);
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
