/**
 * The signed-in user of this browser. The session itself is in a cookie that no script can read, the same for all tabs;
 * this is what the page knows of it. A tab that learns that its session has ended keeps its work and waits.
 */
import { onSessionExpired, setCaller } from "../../api/client";
import { beginSession, endSession, getSession, type StaffSession } from "../../api/session";
import { mayDo } from "../../lib/may";
import { forgetSeen } from "../../lib/seen";
import { Store, useStore } from "../../lib/store";
import { personName } from "../patrons/patron";
import { forgetPlace, keepPlace, keptPlace, type ServicePointChoice } from "./place";
import { listenToTabs, tellTabs } from "./tabs";

/** Why a page's session is over. */
export type Ended =
  | { because: "expired" | "signed-out" }
  /** Somebody else has signed in from another tab. */
  | { because: "replaced"; by: string };

export interface Session {
  tenant: string;
  userId: string;
  username: string;
  permissions: readonly string[];
  /** Tells two sessions of the same user apart. */
  expires: string;
  /** The service point of the user's record, preselected. */
  defaultServicePointId?: string;
  servicePoint?: ServicePointChoice;
  /** Set while the page waits for its user to sign in again. */
  ended?: Ended;
}

const TENANT_KEPT_AS = "carrel.tenant";

const store = new Store<Session | undefined>(undefined);
const startProblem = new Store<unknown>(undefined);

/** The session whose refusal was not believed once already. */
let doubted: string | undefined;

/** Finds out who is signed in. Called once, before the first render. */
export async function restoreSession(): Promise<void> {
  onSessionExpired(() => void refused());
  listenToTabs((news) => (news === "signed-out" ? end({ because: "signed-out" }) : examine()));
  await findOut();
}

/** Asks again after the server did not answer at the start. */
export async function findOut(): Promise<void> {
  try {
    adopt(await getSession());
    startProblem.set(undefined);
  } catch (error) {
    startProblem.set(error);
  }
}

export function useSession(): Session | undefined {
  return useStore(store);
}

/** Why it is not known whether somebody is signed in. */
export function useStartProblem(): unknown {
  return useStore(startProblem);
}

/** Whether the user has a permission, so that what would be refused need not be offered. */
export function useMay(permission: string): boolean {
  return useSession()?.permissions.includes(permission) ?? false;
}

/** The tenant of the last sign-in in this browser, preselected. */
export function lastTenant(): string {
  return localStorage.getItem(TENANT_KEPT_AS) ?? "";
}

export async function signIn(tenant: string, username: string, password: string): Promise<void> {
  const told = await beginSession(tenant, username, password);
  localStorage.setItem(TENANT_KEPT_AS, tenant);
  forgetPlace();
  adopt(told);
  tellTabs("signed-in");
}

/** Signs the same user in again; the page keeps its state. */
export async function signInAgain({ tenant, username }: Session, password: string): Promise<void> {
  continueWith(await beginSession(tenant, username, password));
  tellTabs("signed-in");
}

/** Signs out at once in all tabs, without waiting for the server. A session of somebody else is left to them. */
export async function signOut(): Promise<void> {
  const isOurs = store.snapshot()?.ended?.because !== "replaced";
  leave();
  if (!isOurs) return findOut();
  forgetPlace();
  tellTabs("signed-out");
  await endSession().catch(() => undefined);
}

/** Ends what this tab has of its session, which is over. */
export function leave(): void {
  forgetSeen();
  keep(undefined);
}

export function chooseServicePoint(servicePoint: ServicePointChoice): void {
  const session = store.snapshot();
  if (!session) return;
  keepPlace(session, servicePoint);
  keep({ ...session, servicePoint });
}

/** Returns to the choice of service point. */
export function leaveServicePoint(): void {
  const session = store.snapshot();
  if (!session) return;
  const { servicePoint: _, ...rest } = session;
  forgetPlace();
  keep(rest);
}

/** A call was refused as nobody's. The page waits, until it is known what has become of the session. */
function refused(): Promise<void> {
  if (store.snapshot()?.ended) return Promise.resolve();
  end({ because: "expired" });
  return examine(true);
}

/** Learns who has the browser's session now. */
async function examine(wasRefused = false): Promise<void> {
  const current = await getSession().catch(() => undefined);
  const session = store.snapshot();
  if (!session) return adopt(current);
  if (!current) return end({ because: "expired" });
  if (current.user.id !== session.userId || current.library !== session.tenant) {
    return end({ because: "replaced", by: nameOf(current) });
  }
  // A call may have been on its way while the user signed in again. A session that is refused twice is of no use.
  const isSame = wasRefused && current.expires === session.expires;
  if (isSame && doubted === current.expires) return;
  if (isSame) doubted = current.expires;
  continueWith(current);
}

function adopt(told: StaffSession | undefined): void {
  const session = told && sessionOf(told);
  const servicePoint = session && keptPlace(session);
  keep(session && { ...session, ...(servicePoint && { servicePoint }) });
}

/** The same user goes on, with all that the page has. */
function continueWith(told: StaffSession): void {
  const servicePoint = store.snapshot()?.servicePoint;
  keep({ ...sessionOf(told), ...(servicePoint && { servicePoint }) });
}

function sessionOf({ library, user, ...told }: StaffSession): Session {
  const { permissions, expires, defaultServicePointId } = told;
  const session = { tenant: library, userId: user.id, username: user.username };
  return {
    ...session,
    permissions,
    expires,
    ...(defaultServicePointId && { defaultServicePointId }),
  };
}

const nameOf = ({ user }: StaffSession) => personName(user) || user.username;

function end(ended: Ended): void {
  const session = store.snapshot();
  if (session) keep({ ...session, ended });
}

function keep(session: Session | undefined): void {
  setCaller(session);
  mayDo(session?.permissions);
  store.set(session);
}
