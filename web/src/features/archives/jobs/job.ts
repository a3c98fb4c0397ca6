/** What is said of jobs. */
import type { Job, JobStatus } from "../../../api/archivesTypes";
import { msg } from "../../../lib/i18n";

export const STATUS_WORDS: Record<JobStatus, string> = {
  queued: msg("Waiting"),
  running: msg("Running"),
  completed: msg("Done"),
  canceled: msg("Canceled"),
  failed: msg("Failed"),
};

export const STATUS_TONES = {
  queued: "info",
  running: "info",
  completed: "good",
  canceled: "notice",
  failed: "bad",
} as const;

export const isOver = ({ status }: Job): boolean => status !== "queued" && status !== "running";

/** What a job is about: the files of an import, or what it prints. */
export function subjectOf({ job, job_type }: Job): string {
  const { filenames = [], source } = job;
  return filenames.join(", ") || source || job_type.replace(/_job$/, "").replaceAll("_", " ");
}

/** The seconds between two times of the server, in words. */
export function secondsBetween(
  from: string | undefined,
  to: string | undefined,
): number | undefined {
  if (!from || !to) return undefined;
  return Math.max(Math.round((Date.parse(to) - Date.parse(from)) / 1000), 0);
}

export type LineTone = "error" | "warning" | undefined;

/** Lines of a log that need attention. */
export function toneOf(line: string): LineTone {
  if (/\b(error|failed|refused|invalid|could not|cannot)\b/i.test(line)) return "error";
  return /\b(warning|filled in|repaired|put right|ignored|left out)\b/i.test(line)
    ? "warning"
    : undefined;
}
