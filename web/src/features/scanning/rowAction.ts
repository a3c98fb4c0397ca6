/** What staff can do about a scan in the list, by a button or by Alt and a digit. */
import { useAltDigit } from "../../lib/shortcuts";

export interface RowAction<Scan> {
  label: string;
  /** With Alt, the key that does it to the newest scan it applies to. */
  digit: number;
  applies: (scan: Scan) => boolean;
  run: (scan: Scan) => void;
}

/** The scan the shortcut is for. */
export function newestFor<Scan>(scans: readonly Scan[], action: RowAction<Scan>): Scan | undefined {
  return scans.findLast(action.applies);
}

export function useRowShortcut<Scan>(scans: readonly Scan[], action: RowAction<Scan>): void {
  useAltDigit(action.digit, () => {
    const scan = newestFor(scans, action);
    if (scan) action.run(scan);
  });
}
