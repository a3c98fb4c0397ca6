/** What can be done with the whole list of the desk: receipts, slips, the list as a file. */
import { type RefObject, useState } from "react";
import type { User } from "../../api/types";
import { useActions } from "../../lib/actions";
import type { Clock } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { later } from "../../ui/later";
import { receiptOf } from "../check-out/checkOut";
import { PrintButton } from "../slips/PrintButton";
import type { SlipPrinter } from "../slips/useSlipPrinter";
import { type DeskScan, type Mode, returnOf } from "./scan";
import { slipsOf } from "./useRowActions";

const MailDialog = later(() => import("./MailDialog").then((file) => file.default), {
  isAtHand: true,
});

interface Props {
  mode: Mode;
  scans: readonly DeskScan[];
  patron: User | undefined;
  printer: SlipPrinter;
  clock: Clock;
  inputRef: RefObject<HTMLInputElement | null>;
}

export function DeskTools({ mode, scans, ...props }: Props) {
  return mode === "lend" ? (
    <Receipts {...props} scans={scans} />
  ) : (
    <Returns {...props} scans={scans} />
  );
}

type Tools = Omit<Props, "mode">;

function Receipts({ scans, patron, printer, inputRef }: Tools) {
  const [isMailing, setMailing] = useState(false);
  const receipt = receiptOf(scans);
  const mail = () => {
    inputRef.current?.focus(); // the focus returns here when the dialog closes
    setMailing(true);
  };
  const reason = printer.whyNot("Due date receipt");
  const canMail = patron !== undefined && receipt.length > 0 && !reason;
  useActions(canMail ? [{ label: t("E-mail the receipt…"), run: mail }] : []);
  if (!reason && !printer.uses("Due date receipt")) return null; // the slips are being read
  const print = () => {
    inputRef.current?.focus();
    void printer.print(receipt);
  };
  return (
    <>
      <PrintButton
        label={t("Print receipt")}
        isDisabled={receipt.length === 0}
        disabledReason={reason}
        onPrint={print}
      />
      <Button onPress={mail} isDisabled={!canMail && !reason} disabledReason={reason}>
        {t("E-mail receipt…")}
      </Button>
      {isMailing && patron && (
        <MailDialog
          patron={patron}
          receipt={receipt}
          printer={printer}
          onClose={() => setMailing(false)}
        />
      )}
    </>
  );
}

function Returns({ scans, printer, clock, inputRef }: Tools) {
  const slips = scans.flatMap((scan) => slipsOf(scan, printer));
  const hasReturns = scans.some((scan) => returnOf(scan));
  const save = async () => {
    inputRef.current?.focus();
    const { saveReturns } = await import("./sessionList");
    saveReturns(scans, clock);
  };
  const print = () => {
    inputRef.current?.focus();
    void printer.print(slips);
  };
  useActions(
    hasReturns ? [{ label: t("Save the list as a file (CSV)"), run: () => void save() }] : [],
  );
  return (
    <>
      {slips.length > 1 && (
        <Button onPress={print}>{t("Print all {count} slips", { count: slips.length })}</Button>
      )}
      {hasReturns && <Button onPress={() => void save()}>{t("Save list (CSV)")}</Button>}
    </>
  );
}
