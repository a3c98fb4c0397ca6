/**
 * What the signed-in user may do, so that a button that would be refused says so before it is pressed. It is a courtesy:
 * the server decides, and a permission that was taken away meanwhile is its refusal, in words.
 */
import { useEffect } from "react";
import type { Call } from "../api/permissions";
import { t } from "./i18n";
import { Store, useStore } from "./store";

interface Known {
  /** Absent until somebody is signed in. */
  permissions?: ReadonlySet<string>;
  /** The permission of each call. */
  needed?: Readonly<Record<Call, string>>;
}

const store = new Store<Known>({});

/** Says what the user may do, at sign-in and out. */
export function mayDo(permissions: readonly string[] | undefined): void {
  const { needed } = store.snapshot();
  const known = permissions && { permissions: new Set(permissions) };
  store.set({ ...(needed && { needed }), ...known });
}

/** The table is read when it is first asked for, since the first page of the desk does without it. */
const readTable = once(async () => {
  const { NEEDED } = await import("../api/permissions");
  store.set({ ...store.snapshot(), needed: NEEDED });
});

function once(run: () => Promise<void>): () => void {
  let isRun = false;
  return () => {
    if (isRun) return;
    isRun = true;
    // Without the table everything is offered, and the server refuses; it is asked for again.
    run().catch(() => {
      isRun = false;
    });
  };
}

/** Why the user may not make this call; nothing as long as that is not known. */
export function useWhyNot(call: Call | undefined): string | undefined {
  useEffect(() => {
    if (call) readTable();
  }, [call]);
  return whyNot(useStore(store), call);
}

export function whyNot({ permissions, needed }: Known, call: Call | undefined): string | undefined {
  if (!call || !permissions || !needed) return undefined;
  const permission = needed[call];
  if (permissions.has(permission)) return undefined;
  return t("You are not allowed to do this: your account lacks the permission {permission}.", {
    permission,
  });
}
