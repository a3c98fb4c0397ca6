/** Where a checked-in item goes next (docs/folio/check-in.md#where-the-item-goes). */

import type { CheckInAnswer } from "../../api/types";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { personName } from "../patrons/patron";

/** How to handle the item: shelve it here, send it away, hold it for a patron or bring it to one. */
export type Handling = "shelve" | "send" | "hold" | "deliver" | "other";

export interface Destination {
  handling: Handling;
  /** A phrase such as `In transit to Circ Desk 2`. */
  text: string;
}

export function destinationOf({ item, staffSlipContext }: CheckInAnswer): Destination {
  const status = item.status.name;
  switch (status) {
    case "Available":
      return { handling: "shelve", text: available(item.location?.name) };
    case "In transit":
      return { handling: "send", text: inTransit(transitPoint(item, staffSlipContext)) };
    case "Awaiting pickup":
      return { handling: "hold", text: awaitingPickup(requesterOf(staffSlipContext)) };
    case "Awaiting delivery":
      return { handling: "deliver", text: awaitingDelivery(requesterOf(staffSlipContext)) };
    default:
      return { handling: "other", text: fixed("itemStatus", status) };
  }
}

type SlipContext = CheckInAnswer["staffSlipContext"];

function transitPoint(item: CheckInAnswer["item"], slip: SlipContext): string | undefined {
  return item.inTransitDestinationServicePoint?.name ?? slip?.item?.toServicePoint;
}

function requesterOf(slip: SlipContext): string {
  const requester = slip?.requester;
  if (!requester) return "";
  const name = personName(requester);
  return requester.barcode ? `${name} (${requester.barcode})` : name;
}

function available(place: string | undefined): string {
  return place ? t("Available at {place}", { place }) : t("Available");
}

function inTransit(place: string | undefined): string {
  return place ? t("In transit to {place}", { place }) : t("In transit");
}

function awaitingPickup(requester: string): string {
  return requester ? t("Awaiting pickup for {requester}", { requester }) : t("Awaiting pickup");
}

function awaitingDelivery(requester: string): string {
  return requester ? t("Awaiting delivery for {requester}", { requester }) : t("Awaiting delivery");
}
