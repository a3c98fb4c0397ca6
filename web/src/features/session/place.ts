/**
 * The service point at which this browser works: kept for the tab, and for tabs opened later. It is no secret, and it
 * belongs to the user who chose it.
 */
export interface ServicePointChoice {
  id: string;
  name: string;
}

/** Who chose it. */
interface Chooser {
  tenant: string;
  userId: string;
}

const KEPT_AS = "carrel.servicePoint";

type Kept = Chooser & { servicePoint: ServicePointChoice };

export function keepPlace(chooser: Chooser, servicePoint: ServicePointChoice): void {
  const { tenant, userId } = chooser;
  const kept = JSON.stringify({ tenant, userId, servicePoint } satisfies Kept);
  sessionStorage.setItem(KEPT_AS, kept);
  localStorage.setItem(KEPT_AS, kept);
}

export function forgetPlace(): void {
  sessionStorage.removeItem(KEPT_AS);
  localStorage.removeItem(KEPT_AS);
}

/** The service point that this user chose in this tab, or else the last one in this browser. */
export function keptPlace(chooser: Chooser): ServicePointChoice | undefined {
  const kept =
    readPlace(sessionStorage.getItem(KEPT_AS)) ?? readPlace(localStorage.getItem(KEPT_AS));
  const isTheirs = kept?.tenant === chooser.tenant && kept.userId === chooser.userId;
  return isTheirs ? kept.servicePoint : undefined;
}

function readPlace(text: string | null): Kept | undefined {
  try {
    return text ? (JSON.parse(text) as Kept) : undefined;
  } catch {
    return undefined;
  }
}
