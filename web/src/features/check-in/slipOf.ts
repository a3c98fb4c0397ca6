/** The slip for a checked-in item, chosen by its destination as in FOLIO. */
import type { CheckInAnswer } from "../../api/types";
import type { Slip } from "../slips/slip";

const NAMES = {
  "Awaiting pickup": "Hold",
  "Awaiting delivery": "Request delivery",
  "In transit": "Transit",
} as const;

export function slipOf({ item, staffSlipContext }: CheckInAnswer): Slip | undefined {
  const status = item.status.name;
  if (!hasSlip(status)) return undefined;
  return { name: NAMES[status], context: staffSlipContext };
}

function hasSlip(status: string): status is keyof typeof NAMES {
  return Object.hasOwn(NAMES, status);
}
