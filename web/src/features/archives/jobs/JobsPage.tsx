/** The jobs of a repository, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import type { Job } from "../../../api/archivesTypes";
import { formatDateTime } from "../../../lib/dates";
import { t } from "../../../lib/i18n";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { DataTable } from "../../../ui/DataTable";
import { listedPages } from "../../../ui/listing";
import { Page } from "../../../ui/Page";
import { useClock } from "../../tenant/useClock";
import { ArchivesNav, RepositoryField } from "../ArchivesNav";
import { numberOf, pageOf } from "../addresses";
import { repositoryName, useChosenRepository } from "../useRepository";
import { kindOfJob, STATUS_TONES, STATUS_WORDS, subjectOf } from "./job";
import { jobs } from "./queries";

export default function JobsPage() {
  const router = useRouter();
  const { current } = useChosenRepository();
  return (
    <Page
      title={t("Imports and jobs")}
      subtitle={current && repositoryName(current)}
      toolbar={
        <Button onPress={() => void router.navigate({ href: "/archives/import" })}>
          {t("Import…")}
        </Button>
      }
    >
      <ArchivesNav open="jobs" />
      <RepositoryField />
      {current && <Jobs repository={numberOf(current.uri)} />}
    </Page>
  );
}

function Jobs({ repository }: { repository: number }) {
  const clock = useClock();
  const query = useInfiniteQuery(jobs(repository));
  return (
    <DataTable<{ job: Job; title?: string | undefined }>
      label={t("Imports and jobs")}
      columns={[
        {
          id: "subject",
          title: t("What"),
          width: "2fr",
          isRowHeader: true,
          cell: ({ job, title }) => subjectOf(job, title),
        },
        {
          id: "status",
          title: t("Status"),
          cell: ({ job: { status } }) => (
            <Badge tone={STATUS_TONES[status]}>{t(STATUS_WORDS[status])}</Badge>
          ),
        },
        {
          id: "kind",
          title: t("Kind"),
          isSecondary: true,
          cell: ({ job }) => kindOfJob(job),
        },
        { id: "owner", title: t("By"), isSecondary: true, cell: ({ job }) => job.owner },
        {
          id: "submitted",
          title: t("Submitted"),
          isSecondary: true,
          cell: ({ job }) => formatDateTime(job.time_submitted ?? "", clock),
        },
      ]}
      {...listedPages(query, ({ results }) => results)}
      idOf={({ job }) => job.uri}
      hrefOf={({ job }) => pageOf(job.uri, repository)}
      empty={<p>{t("There are no jobs yet.")}</p>}
    />
  );
}
