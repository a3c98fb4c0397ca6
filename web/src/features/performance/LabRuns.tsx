/** The runs of the performance lab: which there are, and what each was. */
import { useQuery } from "@tanstack/react-query";
import { type LabRun, listLabRuns } from "../../api/labRuns";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import { DataTable } from "../../ui/DataTable";
import { listed } from "../../ui/listing";
import { useClock } from "../tenant/useClock";

export function LabRuns({ token }: { token: string }) {
  const clock = useClock();
  const query = useQuery({
    queryKey: ["lab-runs", token],
    queryFn: () => listLabRuns(token),
  });
  return (
    <DataTable<LabRun>
      label={t("Runs of the performance lab")}
      {...listed(query, (runs) => runs)}
      idOf={({ folder }) => folder}
      hrefOf={({ folder }) => `/performance/runs/${encodeURIComponent(folder)}`}
      columns={[
        {
          id: "began",
          title: t("Started"),
          cell: ({ run }) => formatDateTime(run.began, clock),
        },
        {
          id: "workload",
          title: t("Workload"),
          isRowHeader: true,
          width: "2fr",
          cell: ({ workload, run }) => [workload.title, run.label].filter(Boolean).join(" · "),
        },
        {
          id: "target",
          title: t("Server"),
          cell: ({ target }) => serverOf(target),
          isSecondary: true,
        },
        { id: "load", title: t("Load"), cell: ({ stages }) => stages.map(loadOf).join(", ") },
        {
          id: "notes",
          title: t("Notes"),
          isSecondary: true,
          cell: ({ run, warnings }) => (
            <>
              {run.cut_short && <Badge tone="notice">{t("Ended early")}</Badge>}{" "}
              {warnings.length > 0 &&
                t("{count, plural, one {# note} other {# notes}}", { count: warnings.length })}
            </>
          ),
        },
      ]}
      empty={t(
        "This installation keeps no runs. carrel lab run --out puts one into the folder lab_results of the configuration.",
      )}
    />
  );
}

export const serverOf = ({ url, product, version }: LabRun["target"]): string =>
  [product ?? url, version].filter(Boolean).join(" ");

function loadOf({ users, rate }: LabRun["stages"][number]): string {
  if (users !== undefined) {
    return t("{users, plural, one {# user} other {# users}}", { users });
  }
  return t("{rate} a second", { rate: rate ?? 0 });
}
