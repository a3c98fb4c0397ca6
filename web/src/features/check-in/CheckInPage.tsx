import { useRef, useState } from "react";
import { endPatronActionSessions } from "../../api/endpoints";
import type { ClaimedReturnedResolution } from "../../api/types";
import { useAltDigit } from "../../lib/shortcuts";
import { ConnectionNotice } from "../scanning/ConnectionNotice";
import { useDeskQueues } from "../scanning/deskQueues";
import { spoken } from "../scanning/result";
import { ScanField } from "../scanning/ScanField";
import { newestRemediable, ScanLog } from "../scanning/ScanLog";
import { Task } from "../scanning/Task";
import { useQueue } from "../scanning/useQueue";
import { useServicePointId } from "../service-points/useServicePointId";
import { useClock } from "../tenant/useClock";
import { Backdate } from "./Backdate";
import { type CheckInScan, needsResolution, returningPatrons } from "./checkIn";
import { describeCheckIn } from "./describe";
import { ResolutionDialog } from "./ResolutionDialog";

export function CheckInPage() {
  const queue = useDeskQueues().checkIn;
  const servicePointId = useServicePointId();
  const clock = useClock();
  const inputRef = useRef<HTMLInputElement>(null);
  const [returnedAt, setReturnedAt] = useState<string>();
  const [resolving, setResolving] = useState<CheckInScan>();
  const { scans } = useQueue(queue, (scan) => spoken(scan, describeCheckIn));

  const remedy = {
    label: "Resolve",
    keys: "Alt 3",
    applies: (scan: CheckInScan) => needsResolution(scan.error),
    open: (scan: CheckInScan) => {
      inputRef.current?.focus(); // where the focus returns to when the dialog closes
      setResolving(scan);
    },
  };
  useAltDigit(3, () => {
    const scan = newestRemediable(scans, remedy);
    if (scan) remedy.open(scan);
  });

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
    <Task title="Check in" scans={scans} onEnd={end}>
      <ScanField
        label="Item barcode"
        description="Scan what has come back, one item after the other."
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
      <ScanLog scans={scans} describe={describeCheckIn} remedy={remedy} />
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

/** Lets the server send what it has collected for these returns; it does so by itself after a while. */
async function tellSessionsEnd(patronIds: string[]): Promise<void> {
  if (patronIds.length === 0) return;
  const ends = patronIds.map((patronId) => ({ patronId, actionType: "Check-in" as const }));
  await endPatronActionSessions(ends).catch(() => undefined);
}
