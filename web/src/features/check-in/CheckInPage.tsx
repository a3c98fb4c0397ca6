import { useRef, useState } from "react";
import { endPatronActionSessions } from "../../api/endpoints";
import type { CheckInAnswer, ClaimedReturnedResolution } from "../../api/types";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { ConnectionNotice } from "../scanning/ConnectionNotice";
import { useDeskQueues } from "../scanning/deskQueues";
import type { Reader } from "../scanning/result";
import { type RowAction, useRowShortcut } from "../scanning/rowAction";
import { ScanField } from "../scanning/ScanField";
import { ScanLog } from "../scanning/ScanLog";
import { Task } from "../scanning/Task";
import { useQueue } from "../scanning/useQueue";
import { useServicePointId } from "../service-points/useServicePointId";
import { PrintProblem } from "../slips/PrintProblem";
import { useClock } from "../tenant/useClock";
import { Backdate } from "./Backdate";
import { type CheckInScan, needsResolution, returningPatrons } from "./checkIn";
import { describeCheckIn } from "./describe";
import { ResolutionDialog } from "./ResolutionDialog";
import { useReturnSlips } from "./useReturnSlips";

const READER: Reader<CheckInAnswer> = { describe: describeCheckIn, canDecide: needsResolution };

export function CheckInPage() {
  const queue = useDeskQueues().checkIn;
  const servicePointId = useServicePointId();
  const clock = useClock();
  const inputRef = useRef<HTMLInputElement>(null);
  const [returnedAt, setReturnedAt] = useState<string>();
  const [resolving, setResolving] = useState<CheckInScan>();
  const { scans } = useQueue(queue, READER);

  const resolveAction: RowAction<CheckInScan> = {
    label: t("Resolve"),
    digit: 3,
    applies: (scan) => READER.canDecide(scan.error),
    run: (scan) => {
      inputRef.current?.focus(); // the focus returns here when the dialog closes
      setResolving(scan);
    },
  };
  useRowShortcut(scans, resolveAction);
  const slips = useReturnSlips(scans, inputRef);

  const scanned = (barcode: string) =>
    queue.add(barcode, new Date(), { servicePointId, ...(returnedAt && { returnedAt }) });
  const resolve = (scan: CheckInScan, resolution: ClaimedReturnedResolution) => {
    setResolving(undefined);
    queue.retry(scan.id, { ...scan.options, resolution });
  };
  const end = () => {
    void tellSessionsEnd(returningPatrons(scans));
    setReturnedAt(undefined);
    queue.clear();
    inputRef.current?.focus();
  };

  return (
    <Task
      title={t("Check in")}
      scans={scans}
      onEnd={end}
      actions={
        slips.count > 1 && (
          <Button onPress={slips.printAll}>
            {t("Print all {count} slips", { count: slips.count })}
          </Button>
        )
      }
    >
      <ScanField
        label={t("Item barcode")}
        description={t("Scan what has come back, one item after the other.")}
        inputRef={inputRef}
        onScan={scanned}
      />
      <Backdate
        clock={clock}
        returnedAt={returnedAt}
        onChange={setReturnedAt}
        onDone={() => inputRef.current?.focus()}
      />
      <ConnectionNotice scans={scans} onRetry={() => queue.resume()} />
      <PrintProblem error={slips.error} />
      <ScanLog scans={scans} reader={READER} actions={[resolveAction, slips.action]} />
      {resolving && (
        <ResolutionDialog
          scan={resolving}
          onResolve={(resolution) => resolve(resolving, resolution)}
          onCancel={() => setResolving(undefined)}
        />
      )}
    </Task>
  );
}

/** Ends the patrons' sessions, so that their notices go out now and not after a timeout. */
async function tellSessionsEnd(patronIds: string[]): Promise<void> {
  if (patronIds.length === 0) return;
  const ends = patronIds.map((patronId) => ({ patronId, actionType: "Check-in" as const }));
  await endPatronActionSessions(ends).catch(() => undefined);
}
