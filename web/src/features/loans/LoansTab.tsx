/** The loans of a patron, open and closed, and what staff do with one or many of them. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MOST_LOANS } from "../../api/loans";
import type { Loan } from "../../api/types";
import { t } from "../../lib/i18n";
import { DataTable } from "../../ui/DataTable";
import { listed } from "../../ui/listing";
import { Notice } from "../../ui/Notice";
import { Tabs } from "../../ui/Tabs";
import { useDeskQueues } from "../scanning/deskQueues";
import { useSession } from "../session/session";
import { useClock } from "../tenant/useClock";
import { LoanActions } from "./LoanActions";
import { LoanChanges } from "./LoanChanges";
import styles from "./Loans.module.css";
import { closedColumns, openColumns } from "./loanColumns";
import { addToRun, type LoanChange } from "./loanRun";
import { loansOf } from "./queries";
import { possibleFor } from "./rules";

export function LoansTab({ userId }: { userId: string }) {
  return (
    <Tabs
      label={t("Loans")}
      tabs={[
        { id: "open", title: t("Open"), content: <OpenLoans userId={userId} /> },
        { id: "closed", title: t("Closed"), content: <ClosedLoans userId={userId} /> },
      ]}
    />
  );
}

const NONE: readonly Loan[] = [];

function OpenLoans({ userId }: { userId: string }) {
  const query = useQuery(loansOf(userId, "Open"));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const clock = useClock();
  const run = useDeskQueues().loans;
  const servicePointId = useSession()?.servicePoint?.id;
  const loans = query.data?.loans ?? NONE;
  const selected = loans.filter(({ id }) => chosen.has(id));
  const send = (change: LoanChange) => {
    const tasks = possibleFor(change.action, selected).map((loan) => ({
      loan,
      change,
      servicePointId: servicePointId ?? "",
    }));
    addToRun(run, tasks, new Date());
    setChosen(new Set());
  };
  return (
    <div className={styles.loans}>
      <LoanActions loans={selected} hasServicePoint={servicePointId !== undefined} onSend={send} />
      <LoanChanges userId={userId} />
      <Cut shown={loans.length} total={query.data?.totalRecords ?? 0} />
      <DataTable
        label={t("Open loans")}
        {...listed(query, (data) => data.loans)}
        columns={openColumns(clock, new Date())}
        selection={{ chosen, onChange: setChosen }}
        empty={<p>{t("No open loans.")}</p>}
      />
    </div>
  );
}

function ClosedLoans({ userId }: { userId: string }) {
  const query = useQuery(loansOf(userId, "Closed"));
  const clock = useClock();
  return (
    <div className={styles.loans}>
      <Cut shown={query.data?.loans.length ?? 0} total={query.data?.totalRecords ?? 0} />
      <DataTable
        label={t("Closed loans")}
        {...listed(query, (data) => data.loans)}
        columns={closedColumns(clock)}
        empty={<p>{t("No closed loans.")}</p>}
      />
    </div>
  );
}

function Cut({ shown, total }: { shown: number; total: number }) {
  if (shown < MOST_LOANS || total <= shown) return null;
  return (
    <Notice look="warning">
      {t("The first {shown} of {total} loans are shown.", { shown, total })}
    </Notice>
  );
}
