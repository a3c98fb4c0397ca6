/**
 * What can be done now, in one table: the pages and the shell put their actions here, and the shortcuts, the command
 * palette and the sheet of shortcuts are drawn from it.
 */
import { useEffect, useEffectEvent, useId } from "react";
import { useShortcuts } from "./shortcuts";
import { Store, useStore } from "./store";

export interface Action {
  label: string;
  /** Of `keys.ts`. */
  keys?: string | undefined;
  run: () => void;
  /** Why it cannot be done now; the palette shows it. */
  disabledReason?: string | undefined;
  /** `page` unless given: what belongs to the page shown. `go` leads elsewhere, `app` is about the application. */
  kind?: "page" | "go" | "app";
  /** Whether the keys work while a dialog is open as well. */
  duringDialogs?: boolean;
}

type Registered = ReadonlyMap<string, readonly Action[]>;

const store = new Store<Registered>(new Map());

/** Offers these actions while the component is shown. */
export function useActions(actions: readonly Action[]): void {
  const id = useId();
  useShortcuts(
    actions.flatMap(({ keys, run, disabledReason, duringDialogs = false }) =>
      keys && !disabledReason ? [{ keys, run, duringDialogs }] : [],
    ),
  );
  const run = useEffectEvent((index: number) => actions[index]?.run());
  // The functions are new at each render, the rest seldom.
  const lasting = JSON.stringify(actions);
  useEffect(() => {
    const kept = (JSON.parse(lasting) as Action[]).map((action, n) => ({
      ...action,
      run: () => run(n),
    }));
    store.set(new Map([...store.snapshot(), [id, kept]]));
    return () => store.set(new Map([...store.snapshot()].filter(([other]) => other !== id)));
  }, [id, lasting]);
}

/** All actions on offer, those of the page first. */
export function useOfferedActions(): Action[] {
  return inOrder([...useStore(store).values()].flat());
}

const ORDER = ["page", "go", "app"] as const;

export function inOrder(actions: readonly Action[]): Action[] {
  return ORDER.flatMap((kind) => actions.filter((action) => (action.kind ?? "page") === kind));
}
