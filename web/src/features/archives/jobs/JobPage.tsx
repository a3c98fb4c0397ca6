/** A job: how far it is, its log, what it made, its files. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { cancelJob } from "../../../api/archives";
import type { Description, Job } from "../../../api/archivesTypes";
import { formatDateTime } from "../../../lib/dates";
import { t } from "../../../lib/i18n";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { Facts, Section } from "../../../ui/Detail";
import { announce } from "../../../ui/LiveRegion";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { useClock } from "../../tenant/useClock";
import styles from "../Archives.module.css";
import { ArchivesNav } from "../ArchivesNav";
import { kindOf, numberOf, pageOf } from "../addresses";
import { ARCHIVES_KEY, record } from "../queries";
import { titleOf } from "../record/RecordPane";
import { Downloading, useDownload } from "../resource/Downloading";
import { fileName } from "../resource/download";
import { usePageRepository } from "../useRepository";
import { inWords } from "../values";
import {
  doneSoFar,
  endingOf,
  isOver,
  kindOfJob,
  partOf,
  STATUS_TONES,
  STATUS_WORDS,
  secondsBetween,
  subjectOf,
  toneOf,
} from "./job";
import { Progress } from "./Progress";
import { jobFiles, job as jobQuery, jobRecords } from "./queries";

export default function JobPage() {
  const repository = usePageRepository();
  const { id } = useParams({ strict: false }) as { id?: string };
  const uri = `/repositories/${repository}/jobs/${id}`;
  const query = useQuery(jobQuery(uri));
  const read = query.data;
  const title = useTitle(read?.job.job.source);
  useNews(read?.job);
  return (
    <Page
      title={read ? subjectOf(read.job, title) : t("Job")}
      parent={{ to: "/archives/jobs", label: t("Imports and jobs") }}
      subtitle={
        read && (
          <Badge tone={STATUS_TONES[read.job.status]}>{t(STATUS_WORDS[read.job.status])}</Badge>
        )
      }
      toolbar={read && !isOver(read.job) && <CancelButton uri={uri} />}
    >
      <ArchivesNav open="jobs" />
      <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
      {read && (
        <>
          {!isOver(read.job) && <Progress label={doneSoFar(read.job)} part={partOf(read.job)} />}
          <Outcome job={read.job} title={title} repository={repository} />
          <About job={read.job} />
          <Section title={t("Log")}>
            <Log text={read.log} />
          </Section>
        </>
      )}
    </Page>
  );
}

/** The title of the record that a job is about, as the record has it: the index may not know it yet. */
function useTitle(source: string | undefined): string | undefined {
  const query = useQuery({ ...record<Description>(source ?? ""), enabled: Boolean(source) });
  return query.data && titleOf(query.data);
}

/** Says when a job that was under way is over, and has lists read again that it may have changed. */
function useNews(job: Job | undefined): void {
  const client = useQueryClient();
  const before = useRef<Job["status"]>(undefined);
  useEffect(() => {
    if (!job) return;
    const wasUnderWay = before.current === "queued" || before.current === "running";
    before.current = job.status;
    if (!wasUnderWay || !isOver(job)) return;
    announce(t(STATUS_WORDS[job.status]), job.status === "failed" ? "assertive" : "polite");
    void client.invalidateQueries({ queryKey: [...ARCHIVES_KEY, "search"] });
  }, [client, job]);
}

function CancelButton({ uri }: { uri: string }) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => cancelJob(uri),
    onSuccess: () => client.invalidateQueries({ queryKey: jobQuery(uri).queryKey }),
  });
  return (
    <>
      <Button onPress={() => mutate()} isPending={isPending}>
        {t("Cancel the job")}
      </Button>
      <ProblemNotice error={error} />
    </>
  );
}

function About({ job }: { job: Job }) {
  const clock = useClock();
  const at = (time: string | undefined) => time && formatDateTime(time, clock);
  const seconds = secondsBetween(job.time_started, job.time_finished);
  return (
    <Section title={t("Job")}>
      <Facts
        facts={[
          [t("Kind"), kindOfJob(job)],
          [t("By"), job.owner],
          [t("Submitted"), at(job.time_submitted)],
          [t("Started"), at(job.time_started)],
          [t("Finished"), at(job.time_finished)],
          [
            t("Took"),
            seconds === undefined
              ? undefined
              : t("{seconds, plural, one {# second} other {# seconds}}", { seconds }),
          ],
        ]}
      />
    </Section>
  );
}

interface OutcomeProps {
  job: Job;
  title: string | undefined;
  repository: number;
}

/** The resources that an import made, and the files that a job gives out. */
function Outcome({ job, title, repository }: OutcomeProps) {
  const isDone = job.status === "completed";
  const records = useQuery(jobRecords(job.uri, isDone));
  const files = useQuery(jobFiles(job.uri, isDone && job.job_type !== "import_job"));
  const made = records.data?.results.map(({ record }) => record.ref) ?? [];
  const shown = made.filter((ref) => kindOf(ref) !== "archival_objects");
  if (shown.length === 0 && !files.data?.length) return null;
  return (
    <Section title={t("Result")}>
      {records.data && records.data.total > 0 && (
        <p>
          {t("{count, plural, one {# record} other {# records}} made or changed.", {
            count: records.data.total,
          })}
        </p>
      )}
      <ul className={styles.links}>
        {shown.map((ref) => (
          <li key={ref}>
            <Link to={pageOf(ref, repository) as never}>
              {t("Open {kind} {number}", {
                kind: inWords(kindOf(ref).replace(/s$/, "")).toLowerCase(),
                number: String(numberOf(ref)),
              })}
            </Link>
          </li>
        ))}
      </ul>
      {files.data?.map((file) => (
        <FileButton key={file} job={job} title={title} file={file} />
      ))}
    </Section>
  );
}

interface FileProps {
  job: Job;
  title: string | undefined;
  file: number;
}

function FileButton({ job, title, file }: FileProps) {
  const download = useDownload();
  const button = useRef<HTMLDivElement>(null);
  const name = fileName(title ?? `job-${numberOf(job.uri)}`, endingOf(job));
  return (
    <div className={styles.stack}>
      <div ref={button}>
        <Button
          look="primary"
          onPress={() => download.begin(`${job.uri}/output_files/${file}`, {}, name)}
          isPending={download.bytes !== undefined}
        >
          {t("Download the file")}
        </Button>
      </div>
      <Downloading
        download={download}
        onStop={() => button.current?.querySelector("button")?.focus()}
      />
    </div>
  );
}

function Log({ text }: { text: string }) {
  if (text.trim() === "") return <p>{t("The log is empty so far.")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles.log} aria-label={t("Lines of the log")} tabIndex={0}>
      {text.split("\n").map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows
        <div key={at} data-tone={toneOf(line)}>
          {line}
        </div>
      ))}
    </section>
  );
}
