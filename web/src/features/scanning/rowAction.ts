/** What staff can do about a scan in the list, with a button or with Alt and a digit. */
import { useActions } from "../../lib/actions";

export interface RowAction<Scan> {
  label: string;
  /** With Alt, the shortcut for the newest scan it applies to. */
  digit: number;
  applies: (scan: Scan) => boolean;
  run: (scan: Scan) => void;
}

/** The scan that the shortcut applies to. */
export function newestFor<Scan>(scans: readonly Scan[], action: RowAction<Scan>): Scan | undefined {
  return scans.findLast(action.applies);
}

export function useRowShortcut<Scan>(scans: readonly Scan[], action: RowAction<Scan>): void {
  const run = () => {
    const scan = newestFor(scans, action);
    if (scan) action.run(scan);
  };
  useActions([{ label: action.label, keys: `Alt+${action.digit}`, run }]);
}
