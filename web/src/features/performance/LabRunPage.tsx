/** The report of one run of the performance lab, as the lab has made it. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { RefusedError } from "../../api/errors";
import { getLabReport } from "../../api/labRuns";
import { t } from "../../lib/i18n";
import { Page } from "../../ui/Page";
import styles from "./LabRunPage.module.css";
import { MetricsRefused } from "./MetricsRefused";
import { useMetricsToken } from "./metricsToken";

const NOT_FOUND = 404;

export default function LabRunPage() {
  const { run = "" } = useParams({ strict: false }) as { run?: string };
  const [token, setToken] = useMetricsToken();
  const { data, error } = useQuery({
    queryKey: ["lab-report", run, token],
    queryFn: () => getLabReport(run, token),
    retry: false,
  });
  const isMissing = error instanceof RefusedError && error.status === NOT_FOUND;
  return (
    <Page title={run} parent={{ to: "/performance", label: t("Performance") }}>
      {isMissing && (
        <p>{t("There is no report of this run. carrel lab report makes one from its results.")}</p>
      )}
      {!isMissing && <MetricsRefused error={error} onToken={setToken} />}
      {data === undefined && !error && <output>{t("Loading…")}</output>}
      {data !== undefined && (
        // The report has no scripts; the sandbox allows none.
        <iframe title={t("Report")} srcDoc={data} sandbox="" className={styles.report} />
      )}
    </Page>
  );
}
