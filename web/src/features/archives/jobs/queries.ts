import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getJob, getJobLog, listJobFiles, listJobRecords, listJobs } from "../../../api/archives";
import { ARCHIVES_KEY } from "../queries";
import { isOver } from "./job";

/** Milliseconds between two looks at what is under way. */
const PAUSE = 1000;

export const jobs = (repository: number) =>
  infiniteQueryOptions({
    queryKey: [...ARCHIVES_KEY, "jobs", repository],
    queryFn: ({ pageParam }) => listJobs(repository, pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ this_page, last_page }) =>
      this_page < last_page ? this_page + 1 : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ results }) => !results.every(isOver)) ? 2 * PAUSE : false,
  });

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
