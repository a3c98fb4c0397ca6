/** The desk: one scan field, whose modes are lending and returning. Each mode has its address; the page stays. */
import { useEffect, useRef, useState } from "react";
import { t } from "../../lib/i18n";
import { loadWhatMustBeAtHand } from "../../ui/later";
import { Backdate } from "../check-in/Backdate";
import { returningPatrons } from "../check-in/checkIn";
import { useCurrency } from "../fees/useCurrency";
import { PatronPanel } from "../patrons/PatronPanel";
import { ConnectionNotice } from "../scanning/ConnectionNotice";
import { useDeskQueues } from "../scanning/deskQueues";
import { ForbiddenNotice, isForbidden } from "../scanning/ForbiddenNotice";
import { ScanField } from "../scanning/ScanField";
import { ScanLog } from "../scanning/ScanLog";
import { Task } from "../scanning/Task";
import { useQueue } from "../scanning/useQueue";
import { useServicePointId } from "../service-points/useServicePointId";
import { PrintProblem } from "../slips/PrintProblem";
import { useSlipPrinter } from "../slips/useSlipPrinter";
import { useClock } from "../tenant/useClock";
import { useWhyAction } from "../why/useWhyAction";
import { DeskTools } from "./DeskTools";
import { deskReader } from "./describe";
import { useMode, useModeNow } from "./mode";
import { type DeskScan, isCard, isLending, patronOf } from "./scan";
import { useEndOfEarlierPatron, useFreshPatron } from "./servedPatron";
import { tellSessionsEnd } from "./sessionEnd";
import { usePrintByDefault } from "./usePrintByDefault";
import { useRowActions } from "./useRowActions";
import { useSponsor } from "./useSponsor";

export function DeskPage() {
  const mode = useMode();
  const modeNow = useModeNow();
  const queue = useDeskQueues().desk;
  const servicePointId = useServicePointId();
  const clock = useClock();
  const { currency } = useCurrency();
  const inputRef = useRef<HTMLInputElement>(null);
  const [returnedAt, setReturnedAt] = useState<string>();
  const reader = deskReader(clock, currency);
  const { scans } = useQueue(queue, reader);
  const patron = patronOf(scans);
  const sponsors = useSponsor(patron, inputRef);
  const printer = useSlipPrinter();
  const rows = useRowActions({ mode, queue, scans, clock, printer, inputRef });
  const why = useWhyAction(scans, inputRef);
  usePrintByDefault(scans, printer, inputRef);
  useEndOfEarlierPatron(patron?.id);
  useFreshPatron(patron, scans);
  const hasScans = scans.length > 0;
  useEffect(() => {
    if (hasScans) void loadWhatMustBeAtHand();
  }, [hasScans]);
  useEffect(() => {
    if (mode) inputRef.current?.focus(); // also after a click on the link to the other mode
  }, [mode]);

  const scanned = (barcode: string) => {
    const at = new Date();
    if (modeNow() === "lend") {
      const { sponsor } = sponsors;
      queue.add(barcode, at, { mode: "lend", servicePointId, ...(sponsor && { sponsor }) });
    } else {
      queue.add(barcode, at, { mode: "return", servicePointId, ...(returnedAt && { returnedAt }) });
    }
  };
  const end = () => {
    void tellSessionsEnd(patron?.id, returningPatrons(scans));
    setReturnedAt(undefined);
    queue.clear();
    inputRef.current?.focus();
  };
  const lends = mode === "lend";
  return (
    <Task
      title={lends ? t("Check out") : t("Check in")}
      scans={scans}
      onEnd={end}
      actions={<DeskTools {...{ mode, scans, patron, printer, clock, inputRef }} />}
      aside={
        (lends || patron) && <PatronPanel patron={patron} sponsors={sponsors} inputRef={inputRef} />
      }
    >
      <ScanField
        label={lends && !patron ? t("Patron barcode") : t("Item barcode")}
        description={hint(lends, patron !== undefined)}
        inputRef={inputRef}
        onScan={scanned}
      />
      {!lends && (
        <Backdate
          clock={clock}
          returnedAt={returnedAt}
          onChange={setReturnedAt}
          onDone={() => inputRef.current?.focus()}
        />
      )}
      <ConnectionNotice scans={scans} onRetry={() => queue.resume()} />
      <ForbiddenNotice scans={scans} onRetry={() => queue.retryAll(isForbidden)} />
      <PrintProblem error={printer.error} />
      <ScanLog
        scans={scans.filter(isShown)}
        reader={reader}
        actions={[...rows.actions, why.action]}
      />
      {rows.dialog}
      {why.answer}
      {sponsors.dialog}
    </Task>
  );
}

function hint(lends: boolean, hasPatron: boolean): string {
  if (!lends) return t("Scan what has come back, one item after the other.");
  if (!hasPatron) return t("Scan the patron's card.");
  return t("Scan the items, or the card of the next patron.");
}

/** The first patron of a loan has a panel instead; the cards of later ones part the list. */
function isShown(scan: DeskScan, place: number): boolean {
  return !isCard(scan) || place > 0 || !isLending(scan);
}
