/** What staff can do about a scan in the list, with a button or a key. */
import { useActions } from "../../lib/actions";

export interface RowAction<Scan> {
  label: string;
  /** The shortcut for the newest scan it applies to; several actions may share one. */
  keys?: string;
  applies: (scan: Scan) => boolean;
  run: (scan: Scan) => void;
}

/** The scan that the shortcut of an action applies to: the newest of all actions with this shortcut. */
export function newestFor<Scan>(
  scans: readonly Scan[],
  { keys, applies }: RowAction<Scan>,
  actions: readonly RowAction<Scan>[],
): Scan | undefined {
  const rivals = actions.filter((action) => action.keys === keys);
  const newest = scans.findLast((scan) => rivals.some((action) => action.applies(scan)));
  return newest && applies(newest) ? newest : undefined;
}

export function useRowShortcuts<Scan>(
  scans: readonly Scan[],
  actions: readonly RowAction<Scan>[],
): void {
  const offered = actions.flatMap((action) => {
    const scan = action.keys === undefined ? undefined : newestFor(scans, action, actions);
    const run = () => scan && action.run(scan);
    return scan ? [{ label: action.label, keys: action.keys, run }] : [];
  });
  useActions(offered);
}
