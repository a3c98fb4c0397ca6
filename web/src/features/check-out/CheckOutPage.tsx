import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { endPatronActionSessions } from "../../api/endpoints";
import type { OverrideBlocks } from "../../api/types";
import { t } from "../../lib/i18n";
import { PatronPanel } from "../patrons/PatronPanel";
import { patronKey } from "../patrons/queries";
import { ConnectionNotice } from "../scanning/ConnectionNotice";
import { useDeskQueues } from "../scanning/deskQueues";
import type { Reader } from "../scanning/result";
import { type RowAction, useRowShortcut } from "../scanning/rowAction";
import { ScanField } from "../scanning/ScanField";
import { ScanLog } from "../scanning/ScanLog";
import { isPending } from "../scanning/scanQueue";
import { Task } from "../scanning/Task";
import { useQueue } from "../scanning/useQueue";
import { useServicePointId } from "../service-points/useServicePointId";
import { PrintButton } from "../slips/PrintButton";
import { PrintProblem } from "../slips/PrintProblem";
import { useSlipPrinter } from "../slips/useSlipPrinter";
import { useClock } from "../tenant/useClock";
import {
  type CheckOutAnswer,
  type CheckOutScan,
  isCard,
  loanOf,
  patronOf,
  receiptOf,
} from "./checkOut";
import { describeCheckOut } from "./describe";
import { OverrideDialog } from "./OverrideDialog";
import { addOverride, overridableBlocks } from "./override";

export function CheckOutPage() {
  const queue = useDeskQueues().checkOut;
  const servicePointId = useServicePointId();
  const clock = useClock();
  const inputRef = useRef<HTMLInputElement>(null);
  const [overriding, setOverriding] = useState<CheckOutScan>();
  const reader: Reader<CheckOutAnswer> = {
    describe: (answer) => describeCheckOut(answer, clock),
    canDecide: (error) => overridableBlocks(error).length > 0,
  };
  const { scans } = useQueue(queue, reader);
  const patron = patronOf(scans);
  useEndOfEarlierPatron(patron?.id);
  useFreshPatron(patron?.id, scans);

  const printer = useSlipPrinter();

  const overrideAction: RowAction<CheckOutScan> = {
    label: t("Override"),
    digit: 3,
    applies: (scan) => reader.canDecide(scan.error),
    run: (scan) => {
      inputRef.current?.focus(); // the focus returns here when the dialog closes
      setOverriding(scan);
    },
  };
  useRowShortcut(scans, overrideAction);

  const override = (scan: CheckOutScan, blocks: OverrideBlocks) => {
    setOverriding(undefined);
    const { options } = scan;
    queue.retry(scan.id, { ...options, override: addOverride(options.override, blocks) });
  };
  const printReceipt = () => {
    inputRef.current?.focus();
    void printer.print(receiptOf(scans));
  };
  const end = () => {
    if (patron) void tellSessionEnd(patron.id);
    queue.clear();
    inputRef.current?.focus();
  };

  return (
    <Task
      title={t("Check out")}
      scans={scans}
      onEnd={end}
      actions={
        printer.uses("Due date receipt") && (
          <PrintButton
            label={t("Print receipt")}
            isDisabled={receiptOf(scans).length === 0}
            onPrint={printReceipt}
          />
        )
      }
      aside={<PatronPanel patron={patron} />}
    >
      <ScanField
        label={patron ? t("Item barcode") : t("Patron barcode")}
        description={
          patron
            ? t("Scan the items, or the card of the next patron.")
            : t("Scan the patron's card.")
        }
        inputRef={inputRef}
        onScan={(barcode) => queue.add(barcode, new Date(), { servicePointId })}
      />
      <ConnectionNotice scans={scans} onRetry={() => queue.resume()} />
      <PrintProblem error={printer.error} />
      <ScanLog scans={scans.filter(isShown)} reader={reader} actions={[overrideAction]} />
      {overriding && (
        <OverrideDialog
          scan={overriding}
          clock={clock}
          onOverride={(blocks) => override(overriding, blocks)}
          onCancel={() => setOverriding(undefined)}
        />
      )}
    </Task>
  );
}

/** The first patron has a panel instead; the cards of later ones part the list. */
function isShown(scan: CheckOutScan, _: number, scans: readonly CheckOutScan[]): boolean {
  return !isCard(scan) || scans.find(isCard) !== scan;
}

/** The card of the next patron ends the session of the one before. */
function useEndOfEarlierPatron(patronId: string | undefined): void {
  const earlier = useRef(patronId);
  useEffect(() => {
    if (patronId && earlier.current && earlier.current !== patronId) {
      void tellSessionEnd(earlier.current);
    }
    earlier.current = patronId;
  }, [patronId]);
}

/** Reloads the patron's loans and blocks when the queue is empty after a check-out. */
function useFreshPatron(userId: string | undefined, scans: readonly CheckOutScan[]): void {
  const client = useQueryClient();
  const checkedOut = scans.filter((scan) => loanOf(scan)).length;
  const isIdle = !scans.some(isPending);
  useEffect(() => {
    if (userId && checkedOut > 0 && isIdle) {
      void client.invalidateQueries({ queryKey: patronKey(userId) });
    }
  }, [client, userId, checkedOut, isIdle]);
}

/** Ends the patron's session, so that its notices go out now and not after a timeout. */
function tellSessionEnd(patronId: string): Promise<void> {
  return endPatronActionSessions([{ patronId, actionType: "Check-out" }]).catch(() => undefined);
}
