import { fixed } from "../../lib/fixedValues";
import { Badge } from "../../ui/Badge";

type Tone = "plain" | "good" | "info" | "notice";

/** Statuses are FOLIO's; their colour says whether something is to be done. */
function toneOf(status: string): Tone {
  if (status === "Open - Awaiting pickup" || status === "Open - Awaiting delivery") return "good";
  if (status === "Open - In transit") return "info";
  return status.startsWith("Open") ? "notice" : "plain";
}

/** The status of a request in the user's language. */
export function RequestStatus({ status = "" }: { status?: string | undefined }) {
  return <Badge tone={toneOf(status)}>{fixed("requestStatus", status)}</Badge>;
}
