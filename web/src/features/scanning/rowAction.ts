/** What staff can do about a scan in the list, with a button or with Alt and a digit. */
import { useActions } from "../../lib/actions";

export interface RowAction<Scan> {
  label: string;
  /** With Alt, the shortcut for the newest scan it applies to; several actions may share one. */
  digit?: number;
  applies: (scan: Scan) => boolean;
  run: (scan: Scan) => void;
}

/** The scan that the shortcut of an action applies to: the newest of all actions with this shortcut. */
export function newestFor<Scan>(
  scans: readonly Scan[],
  { digit, applies }: RowAction<Scan>,
  actions: readonly RowAction<Scan>[],
): Scan | undefined {
  const rivals = actions.filter((action) => action.digit === digit);
  const newest = scans.findLast((scan) => rivals.some((action) => action.applies(scan)));
  return newest && applies(newest) ? newest : undefined;
}

export function useRowShortcuts<Scan>(
  scans: readonly Scan[],
  actions: readonly RowAction<Scan>[],
): void {
  const offered = actions.flatMap((action) => {
    const scan = action.digit === undefined ? undefined : newestFor(scans, action, actions);
    const run = () => scan && action.run(scan);
    return scan ? [{ label: action.label, keys: `Alt+${action.digit}`, run }] : [];
  });
  useActions(offered);
}
