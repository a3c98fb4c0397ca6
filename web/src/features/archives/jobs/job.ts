/** What is said of jobs. */
import type { Job, JobStatus } from "../../../api/archivesTypes";
import { msg, t } from "../../../lib/i18n";
import { inWords } from "../values";

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

/** What a job is about: the files of an import, or the title of what it prints, as far as it is known. */
export function subjectOf({ job, job_type }: Job, title?: string): string {
  const { filenames = [], source } = job;
  return (
    filenames.join(", ") || title || source || job_type.replace(/_job$/, "").replaceAll("_", " ")
  );
}

const KINDS: Readonly<Record<string, string>> = {
  import_job: msg("Import"),
  ead_export_job: msg("Export as EAD"),
  print_to_pdf_job: msg("Finding aid as PDF"),
  container_labels_job: msg("Container labels"),
};

export const kindOfJob = ({ job_type }: Job): string => {
  const known = KINDS[job_type];
  return known ? t(known) : inWords(job_type.replace(/_job$/, ""));
};

const ENDINGS: Readonly<Record<string, string>> = {
  ead_export_job: "xml",
  print_to_pdf_job: "pdf",
  container_labels_job: "tsv",
};

/** What the name of a file ends with that a job gives out. The server keeps no names. */
export const endingOf = ({ job, job_type }: Job): string =>
  ENDINGS[job_type] ?? (typeof job.format === "string" ? job.format : "csv");

/** How far a job is, from 0 to 1; nothing while that is not known. */
export function partOf({ progress }: Job): number | undefined {
  return progress && progress.total > 0
    ? Math.min(progress.written / progress.total, 1)
    : undefined;
}

/** What a job has done so far. */
export function doneSoFar({ progress, queue_position: before }: Job): string {
  if (before !== undefined)
    return before === 0
      ? t("The job is the next one.")
      : t("{count, plural, one {# job is} other {# jobs are}} before this one.", { count: before });
  if (progress && progress.total > 0)
    return t("{written, number} of {total, number} records are written.", progress);
  if (progress && progress.read > 0)
    return t("{count, plural, one {# record is} other {# records are}} read.", {
      count: progress.read,
    });
  return t("The job is under way…");
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
