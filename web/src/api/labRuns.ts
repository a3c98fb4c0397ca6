/** The runs of the performance lab that this installation keeps; for whom the metrics are. */
import { measured } from "./metrics";

/** What the list tells of a run, with the names of the lab's `results.json`. */
export interface LabRun {
  folder: string;
  hasReport: boolean;
  run: { began: string; ended: string; cut_short?: string; label?: string };
  workload: { name: string; title: string };
  target: { url: string; product?: string; version?: string };
  stages: { users?: number; rate?: number; transactions_per_second: number }[];
  warnings: string[];
}

export const listLabRuns = async (token: string): Promise<LabRun[]> =>
  ((await (await measured("/lab/runs", token)).json()) as { runs: LabRun[] }).runs;

/** The page that the lab has made of a run: HTML without scripts. */
export const getLabReport = async (folder: string, token: string): Promise<string> =>
  (await measured(`/lab/runs/${encodeURIComponent(folder)}/report`, token)).text();
