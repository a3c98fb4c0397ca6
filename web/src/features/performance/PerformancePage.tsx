/** Live figures of this installation, from the metrics that it keeps anyway. */
import { useQuery } from "@tanstack/react-query";
import { getMetrics } from "../../api/metrics";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import { DataTable } from "../../ui/DataTable";
import { type Fact, Facts, Section } from "../../ui/Detail";
import { Page } from "../../ui/Page";
import { useClock } from "../tenant/useClock";
import { LabRuns } from "./LabRuns";
import { MetricsRefused } from "./MetricsRefused";
import {
  figuresOf,
  type IndexFigures,
  indexFigures,
  parseMetrics,
  type RouteFigures,
  routeFigures,
  type Sample,
  total,
} from "./metrics";
import { useMetricsToken } from "./metricsToken";

/** Milliseconds between two readings. */
const EVERY = 5_000;

export default function PerformancePage() {
  const [token, setToken] = useMetricsToken();
  const { data, error } = useQuery({
    queryKey: ["metrics", token],
    queryFn: async () => parseMetrics(await getMetrics(token)),
    refetchInterval: (query) => (query.state.error ? false : EVERY),
  });
  return (
    <Page
      title={t("Performance")}
      subtitle={t("Since the server was started, read every 5 seconds")}
    >
      <MetricsRefused error={error} onToken={setToken} />
      {data && <Figures samples={data} />}
      {data && (
        <>
          <h2>{t("Runs of the performance lab")}</h2>
          <LabRuns token={token} />
        </>
      )}
    </Page>
  );
}

function Figures({ samples }: { samples: readonly Sample[] }) {
  const { milliseconds, decimal } = useNumbers();
  const task = (route: string): string => {
    const { requests, p95, roundTrips } = figuresOf(samples, route);
    if (requests === 0) return t("None yet");
    return t("{requests}: 95 % within {p95}, {trips} round trips each", {
      requests,
      p95: milliseconds(p95),
      trips: decimal(roundTrips),
    });
  };
  const facts: Fact[] = [
    [t("Check-outs"), task("/circulation/check-out-by-barcode")],
    [t("Check-ins"), task("/circulation/check-in-by-barcode")],
    [t("Jobs running"), decimal(total(samples, "carrel_jobs_running"))],
    [
      t("Requests waiting for the database"),
      decimal(total(samples, "carrel_database_waiting_requests")),
    ],
    [t("Memory"), `${decimal(total(samples, "process_resident_memory_bytes") / 2 ** 20)} MiB`],
  ];
  return (
    <>
      <Section title={t("At the desk")}>
        <Facts facts={facts} />
      </Section>
      <h2>{t("Search indexes")}</h2>
      <Indexes rows={indexFigures(samples)} />
      <h2>{t("Calls, the most frequent first")}</h2>
      <Routes rows={routeFigures(samples)} />
    </>
  );
}

function Indexes({ rows }: { rows: IndexFigures[] }) {
  const { decimal } = useNumbers();
  const states = {
    current: { tone: "good", label: t("Up to date") },
    behind: { tone: "info", label: t("Catching up") },
    building: { tone: "notice", label: t("Being built") },
    failing: { tone: "bad", label: t("Failing") },
  } as const;
  return (
    <DataTable
      label={t("Search indexes")}
      rows={rows}
      idOf={({ library, index }) => `${library} ${index}`}
      columns={[
        {
          id: "index",
          title: t("Index"),
          cell: (row) => `${row.library}: ${row.index}`,
          width: "2fr",
        },
        {
          id: "state",
          title: t("State"),
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
        },
        {
          id: "documents",
          title: t("Records"),
          cell: (row) => decimal(row.documents),
          align: "end",
        },
        {
          id: "behind",
          title: t("Still to read"),
          cell: (row) => decimal(row.behind),
          align: "end",
        },
      ]}
      empty={t("No index has been used since the server was started.")}
    />
  );
}

function Routes({ rows }: { rows: RouteFigures[] }) {
  const { milliseconds, decimal } = useNumbers();
  return (
    <DataTable
      label={t("Calls, the most frequent first")}
      rows={rows}
      idOf={({ route }) => route}
      columns={[
        { id: "route", title: t("Call"), cell: (row) => row.route, width: "3fr" },
        { id: "requests", title: t("Count"), cell: (row) => decimal(row.requests), align: "end" },
        { id: "p95", title: t("95 % within"), cell: (row) => milliseconds(row.p95), align: "end" },
        {
          id: "trips",
          title: t("Round trips"),
          cell: (row) => decimal(row.roundTrips),
          align: "end",
          isSecondary: true,
        },
      ]}
      empty={t("Nothing has been asked yet.")}
    />
  );
}

/** Numbers in the user's notation. */
function useNumbers() {
  const { locale } = useClock();
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const decimal = (value: number) => format.format(value);
  const milliseconds = (seconds: number | undefined) => {
    if (seconds === undefined) return "–";
    return Number.isFinite(seconds) ? `${decimal(seconds * 1000)} ms` : t("longer");
  };
  return { decimal, milliseconds };
}
