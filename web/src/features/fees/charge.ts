/** A new fee: the account and its first movement, which the client writes (docs/folio/fees-fines.md). */

import { RefusedError } from "../../api/errors";
import {
  type AccountInput,
  createAccount,
  createMovement,
  type FeeType,
  listAccounts,
  listMovements,
  type MovementInput,
  type Owner,
} from "../../api/fees";
import { decimalOf } from "./money";

export interface Charge {
  /** The account's id, chosen once, so that a repeated charge is refused and not made twice. */
  id: string;
  userId: string;
  owner: Owner;
  type: FeeType;
  cents: bigint;
  comments?: string | undefined;
  notify: boolean;
  servicePointId: string;
  /** Who charges. */
  source: string;
}

/** JSON has no decimals; two of them survive the way there and back. */
const numberOf = (cents: bigint) => Number(decimalOf(cents));

export function accountOf(charge: Charge): AccountInput {
  const { id, userId, owner, type, cents } = charge;
  const amount = numberOf(cents);
  return {
    id,
    userId,
    amount,
    remaining: amount,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
    feeFineId: type.id,
    feeFineType: type.feeFineType,
    ownerId: owner.id,
    feeFineOwner: owner.owner ?? "",
  };
}

export function firstMovementOf(charge: Charge, now: Date): MovementInput {
  const { id, userId, type, cents, comments, notify, servicePointId, source } = charge;
  const amount = numberOf(cents);
  return {
    id,
    accountId: id,
    userId,
    dateAction: now.toISOString(),
    typeAction: type.feeFineType,
    amountAction: amount,
    balance: amount,
    createdAt: servicePointId,
    source,
    notify,
    ...(comments && { comments }),
  };
}

/** Charges the fee. Repeated after a lost answer, it makes what is not there yet. */
export async function chargeFee(charge: Charge): Promise<void> {
  const isMade = async () => (await listAccounts(charge.userId)).some(({ id }) => id === charge.id);
  const isMoved = async () =>
    (await listMovements(charge.userId)).some(({ accountId }) => accountId === charge.id);
  await once(() => createAccount(accountOf(charge)), isMade);
  await once(() => createMovement(firstMovementOf(charge, new Date())), isMoved);
}

/** A record that cannot be made because an earlier attempt has made it is made. */
async function once(make: () => Promise<unknown>, isThere: () => Promise<boolean>) {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof RefusedError && (await isThere()))) throw error;
  }
}

/** The types that staff may charge for an owner: its own, and those of nobody. */
export function typesOf(owner: Owner | undefined, types: readonly FeeType[]): FeeType[] {
  if (!owner) return [];
  return types.filter(({ automatic, ownerId }) => !automatic && (!ownerId || ownerId === owner.id));
}

/** The owner of a service point, preselected. */
export function ownerAt(servicePointId: string, owners: readonly Owner[]): Owner | undefined {
  return owners.find(({ servicePointOwner = [] }) =>
    servicePointOwner.some(({ value }) => value === servicePointId),
  );
}
