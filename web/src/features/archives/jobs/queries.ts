import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  findRecords,
  getJob,
  getJobLog,
  listJobFiles,
  listJobRecords,
  listJobs,
} from "../../../api/archives";
import type { Job } from "../../../api/archivesTypes";
import { ARCHIVES_KEY } from "../queries";
import { plainText } from "../values";
import { isOver } from "./job";

/** Milliseconds between two looks at what is under way. */
const PAUSE = 1000;

export const jobs = (repository: number) =>
  infiniteQueryOptions({
    queryKey: [...ARCHIVES_KEY, "jobs", repository],
    queryFn: async ({ pageParam }) => {
      const page = await listJobs(repository, pageParam);
      const titles = await titlesOf(page.results);
      return {
        ...page,
        results: page.results.map((job) => ({ job, title: titles.get(job.job.source ?? "") })),
      };
    },
    initialPageParam: 1,
    getNextPageParam: ({ this_page, last_page }) =>
      this_page < last_page ? this_page + 1 : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ results }) => !results.every(({ job }) => isOver(job)))
        ? 2 * PAUSE
        : false,
  });

/** The titles of what jobs of a list are about, from the index: one call for all. Without them their addresses are shown. */
async function titlesOf(jobs: readonly Job[]): Promise<Map<string, string>> {
  const sources = [...new Set(jobs.flatMap(({ job }) => job.source ?? []))];
  if (sources.length === 0) return new Map();
  const found = await findRecords(sources).catch(() => ({ results: [] }));
  return new Map(found.results.map(({ uri, title }) => [uri, plainText(title)]));
}

/** A job with its log so far; looked at again until it is over. */
export const job = (uri: string) =>
  queryOptions({
    queryKey: [...ARCHIVES_KEY, "job", uri],
    queryFn: async () => {
      // The log after the status, so that the log of a job that is over is whole.
      const read = await getJob(uri);
      return { job: read, log: await getJobLog(uri, 0) };
    },
    refetchInterval: ({ state }) => (state.data && isOver(state.data.job) ? false : PAUSE),
  });

export const jobRecords = (uri: string, isDone: boolean) =>
  queryOptions({
    queryKey: [...ARCHIVES_KEY, "job-records", uri],
    queryFn: () => listJobRecords(uri),
    enabled: isDone,
  });

export const jobFiles = (uri: string, isDone: boolean) =>
  queryOptions({
    queryKey: [...ARCHIVES_KEY, "job-files", uri],
    queryFn: () => listJobFiles(uri),
    enabled: isDone,
  });
