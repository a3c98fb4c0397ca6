import { fixed } from "../../lib/fixedValues";
import { Badge } from "../../ui/Badge";
import { toneOf } from "./itemStatus";

/** The status of an item in the user's language, with its colour. */
export function ItemStatus({ status }: { status: string }) {
  return <Badge tone={toneOf(status)}>{fixed("itemStatus", status)}</Badge>;
}
