import { queryOptions } from "@tanstack/react-query";
import {
  listAccounts,
  listFeeTypes,
  listMovements,
  listOwners,
  listPaymentMethods,
  listRefundReasons,
  listTransferAccounts,
  listWaiveReasons,
} from "../../api/fees";
import { patronKey } from "../patrons/queries";
import type { FeeAction } from "./rules";

/** What a patron owes and owed, and every movement. */
export const feesOf = (userId: string) =>
  queryOptions({
    queryKey: [...patronKey(userId), "fees"],
    queryFn: async () => {
      const [accounts, movements] = await Promise.all([
        listAccounts(userId),
        listMovements(userId),
      ]);
      return { accounts, movements };
    },
  });

export const feeSettings = queryOptions({
  queryKey: ["fee-settings"],
  queryFn: async () => {
    const [owners, types] = await Promise.all([listOwners(), listFeeTypes()]);
    return { owners, types };
  },
  staleTime: 600_000,
});

/** By what means an action is done, or why; those of an owner have its id. */
export const means = (action: Exclude<FeeAction, "cancel">) =>
  queryOptions({
    queryKey: ["fee-means", action],
    queryFn: () => MEANS[action](),
    staleTime: 600_000,
  });

export interface Means {
  id: string;
  name: string;
  ownerId?: string | undefined;
}

const MEANS: Record<Exclude<FeeAction, "cancel">, () => Promise<Means[]>> = {
  pay: async () =>
    (await listPaymentMethods()).map(({ id, nameMethod: name, ownerId }) => ({
      id,
      name,
      ownerId,
    })),
  waive: async () => (await listWaiveReasons()).map(({ id, nameReason: name }) => ({ id, name })),
  refund: async () => (await listRefundReasons()).map(({ id, nameReason: name }) => ({ id, name })),
  transfer: async () =>
    (await listTransferAccounts()).map(({ id, accountName: name, ownerId }) => ({
      id,
      name,
      ownerId,
    })),
};

/** The names among which staff choose for fees of these owners, each once. */
export function namesFor(means: readonly Means[], ownerIds: readonly string[]): string[] {
  const fitting = means.filter(({ ownerId }) => !ownerId || ownerIds.includes(ownerId));
  return [...new Set(fitting.map(({ name }) => name))].sort((a, b) => a.localeCompare(b));
}
