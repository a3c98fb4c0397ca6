/**
 * The signed-in user and service point, kept for this browser tab only: a reload keeps the session, closing the tab
 * ends it.
 */
import { type Caller, onSessionExpired, setCaller } from "../../api/client";
import { signIn as postSignIn, signOut as postSignOut } from "../../api/endpoints";
import type { LoginAnswer } from "../../api/types";
import { forgetSeen } from "../../lib/seen";
import { Store, useStore } from "../../lib/store";

export interface Session {
  tenant: string;
  token: string;
  userId: string;
  username: string;
  /** The service point of the user's record, preselected. */
  defaultServicePointId?: string;
  servicePoint?: { id: string; name: string };
  /** The server has refused the token; the page waits for a new one. */
  expired: boolean;
}

const KEPT_AS = "carrel.session";
const TENANT_KEPT_AS = "carrel.tenant";

const store = new Store<Session | undefined>(undefined);

/** Restores this tab's session. Called once, before the first render. */
export function restoreSession(): void {
  onSessionExpired(() => change({ expired: true }));
  keep(keptSession());
}

export function useSession(): Session | undefined {
  return useStore(store);
}

/** The tenant of the last sign-in in this browser, preselected. */
export function lastTenant(): string {
  return localStorage.getItem(TENANT_KEPT_AS) ?? "";
}

export async function signIn(tenant: string, username: string, password: string): Promise<void> {
  const { answer, token } = await postSignIn(tenant, { username, password });
  localStorage.setItem(TENANT_KEPT_AS, tenant);
  keep(sessionOf(tenant, username, token, answer));
}

/** Signs the same user in again; the page keeps its state. */
export async function signInAgain(session: Session, password: string): Promise<void> {
  const { tenant, username } = session;
  const { token } = await postSignIn(tenant, { username, password });
  change({ token, expired: false });
}

/** Signs out at once, without waiting for the server. */
export async function signOut(): Promise<void> {
  forgetSeen();
  const signedOut = postSignOut().catch(() => undefined);
  keep(undefined);
  await signedOut;
}

export function chooseServicePoint(servicePoint: { id: string; name: string }): void {
  change({ servicePoint });
}

/** Returns to the choice of service point. */
export function leaveServicePoint(): void {
  const session = store.snapshot();
  if (!session) return;
  const { servicePoint: _, ...rest } = session;
  keep(rest);
}

/** The stored session of this tab, unless it is unreadable. */
function keptSession(): Session | undefined {
  const kept = sessionStorage.getItem(KEPT_AS);
  if (!kept) return undefined;
  try {
    return JSON.parse(kept) as Session;
  } catch {
    return undefined;
  }
}

function sessionOf(
  tenant: string,
  username: string,
  token: string,
  { user, servicePointsUser }: LoginAnswer,
): Session {
  const session = { tenant, token, userId: user.id, username: user.username ?? username };
  const defaultServicePointId = servicePointsUser?.defaultServicePointId;
  return { ...session, expired: false, ...(defaultServicePointId && { defaultServicePointId }) };
}

function change(changes: Partial<Session>): void {
  const session = store.snapshot();
  if (session) keep({ ...session, ...changes });
}

function keep(session: Session | undefined): void {
  setCaller(session && callerOf(session));
  if (session) sessionStorage.setItem(KEPT_AS, JSON.stringify(session));
  else sessionStorage.removeItem(KEPT_AS);
  store.set(session);
}

function callerOf({ tenant, token }: Session): Caller {
  return { tenant, token };
}
