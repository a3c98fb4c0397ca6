/** The dialogs about a scan in the list; loaded with the first scan. */
import type { ClaimedReturnedResolution, Loan, OverrideBlocks } from "../../api/types";
import type { Clock } from "../../lib/dates";
import { ResolutionDialog } from "../check-in/ResolutionDialog";
import { OverrideDialog } from "../check-out/OverrideDialog";
import { AddItemDialog } from "./AddItemDialog";
import { ChangeDueDate } from "./ChangeDueDate";
import { type DeskScan, loanOf } from "./scan";
import type { Asked } from "./useRowActions";

interface Props {
  what: Asked;
  scan: DeskScan;
  clock: Clock;
  onOverride: (blocks: OverrideBlocks) => void;
  onResolve: (resolution: ClaimedReturnedResolution) => void;
  /** The item exists now. */
  onAdded: () => void;
  /** The loan has changed. */
  onLoan: (loan: Loan) => void;
  onCancel: () => void;
}

export default function RowDialog({ what, scan, clock, onCancel, ...told }: Props) {
  const loan = loanOf(scan);
  switch (what) {
    case "override":
      return (
        <OverrideDialog
          scan={scan}
          clock={clock}
          onOverride={told.onOverride}
          onCancel={onCancel}
        />
      );
    case "resolve":
      return <ResolutionDialog scan={scan} onResolve={told.onResolve} onCancel={onCancel} />;
    case "add":
      return <AddItemDialog barcode={scan.barcode} onAdded={told.onAdded} onCancel={onCancel} />;
    case "dueDate":
      return loan ? (
        <ChangeDueDate loan={loan} onChanged={told.onLoan} onCancel={onCancel} />
      ) : null;
  }
}
