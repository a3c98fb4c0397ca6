/** The changes of a patron's loans that were asked for: how far they are, and what came of each. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RenewalOverride } from "../../api/loans";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { Section } from "../../ui/Detail";
import { Reasons } from "../../ui/Notice";
import { patronKey } from "../patrons/queries";
import { ConnectionNotice } from "../scanning/ConnectionNotice";
import { useDeskQueues } from "../scanning/deskQueues";
import { isPending } from "../scanning/scanQueue";
import { useClock } from "../tenant/useClock";
import { WhyButton } from "../why/WhyButton";
import { describeChange } from "./describe";
import styles from "./Loans.module.css";
import { titleOf } from "./loanColumns";
import type { LoanScan } from "./loanRun";
import { RenewalOverrideDialog } from "./RenewalOverrideDialog";
import { renewalBlocks } from "./renewalOverride";
import { useLoanRun } from "./useLoanRun";

export function LoanChanges({ userId }: { userId: string }) {
  const run = useDeskQueues().loans;
  const scans = useLoanRun(run);
  const own = scans.filter(({ options }) => options.loan.userId === userId);
  const [overriding, setOverriding] = useState<LoanScan>();
  useFreshLoans(userId, own);
  if (own.length === 0) return null;
  const done = own.filter((scan) => !isPending(scan)).length;
  const override = (overrideBlocks: RenewalOverride) => {
    if (overriding) {
      const change = { action: "renew" as const, override: overrideBlocks };
      run.retry(overriding.id, { ...overriding.options, change });
    }
    setOverriding(undefined);
  };
  return (
    <Section
      title={t("Changes")}
      actions={
        done === own.length && (
          <Button look="quiet" onPress={() => run.clear()}>
            {t("Clear the list")}
          </Button>
        )
      }
    >
      <ConnectionNotice scans={own} onRetry={() => run.resume()} />
      {done < own.length && (
        <progress
          className={styles.progress}
          max={own.length}
          value={done}
          aria-label={t("{done} of {all} done", { done, all: own.length })}
        />
      )}
      <ul className={styles.list} aria-label={t("Changes, newest first")}>
        {own.toReversed().map((scan) => (
          <Change key={scan.id} scan={scan} onOverride={() => setOverriding(scan)} />
        ))}
      </ul>
      {overriding && (
        <RenewalOverrideDialog
          scan={overriding}
          onOverride={override}
          onCancel={() => setOverriding(undefined)}
        />
      )}
    </Section>
  );
}

function Change({ scan, onOverride }: { scan: LoanScan; onOverride: () => void }) {
  const clock = useClock();
  return (
    <li className={styles.change} data-state={scan.state}>
      <div>
        <strong>{titleOf(scan.options.loan)}</strong> {scan.barcode}
        {scan.state === "refused" ? (
          <div className={styles.refused}>
            {t("Refused:")} <Reasons error={scan.error} />
            {scan.options.change.action === "renew" && <WhyRefused scan={scan} />}
          </div>
        ) : (
          <div>{describeChange(scan, clock)}</div>
        )}
      </div>
      {renewalBlocks(scan).length > 0 && (
        <Button
          onPress={onOverride}
          aria-label={t("Override for {title}", { title: titleOf(scan.options.loan) })}
        >
          {t("Override…")}
        </Button>
      )}
    </li>
  );
}

function WhyRefused({ scan }: { scan: LoanScan }) {
  const { itemId, userId = "" } = scan.options.loan;
  const subject = titleOf(scan.options.loan);
  return <WhyButton question={{ about: "renewal", itemId, userId }} subject={subject} />;
}

/** Reads the patron's loans, blocks and fees again when all that was asked for is done. */
function useFreshLoans(userId: string, scans: readonly LoanScan[]): void {
  const client = useQueryClient();
  const made = scans.filter(({ state }) => state === "answered").length;
  const isIdle = !scans.some(isPending);
  useEffect(() => {
    if (made > 0 && isIdle) void client.invalidateQueries({ queryKey: patronKey(userId) });
  }, [client, userId, made, isIdle]);
}
