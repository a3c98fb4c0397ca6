/** A refusal with what caused it, in sentences. */
import type { Explained } from "../../api/why";
import { type Clock, formatDate, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { entryInWords } from "../../lib/wording";
import { linkToLimits, linkToPolicy, linkToRequest } from "./links";
import { OF_RETURNS } from "./returns";
import type { Told } from "./telling";

type Refusal = Explained["refusals"][number];
type Cause = NonNullable<Refusal["because"]>;

export function tellRefusal({ message, because }: Refusal, clock: Clock): Told[] {
  const why = entryInWords({ message });
  const said = { text: because?.recorded ? why : t("Refused: {message}", { message: why }) };
  return because ? [said, ...tellCause(because, clock)] : [said];
}

function tellCause(because: Cause, clock: Clock): Told[] {
  const { policy } = because;
  const link = policy ? { link: linkToPolicy(policy) } : {};
  const values = {
    name: policy?.name ?? policy?.id ?? because.condition?.name ?? "?",
    limit: because.limit ?? 0,
    has: because.has ?? 0,
  };
  switch (because.cause) {
    case "policy":
      return [{ text: t("That is what {name} says.", values), ...link }];
    case "manualBlocks":
      return (because.blocks ?? []).map(({ reason, expires }) => ({
        text: expires
          ? t("Staff blocked the patron until {date}: {reason}", {
              reason,
              date: formatDate(expires, clock),
            })
          : t("Staff blocked the patron: {reason}", { reason }),
      }));
    case "blockLimit":
      return [
        {
          text: t(
            "{name}: the limit of the patron group is {limit}, the patron has {has}.",
            values,
          ),
          link: linkToLimits(),
        },
      ];
    case "itemLimit":
      return [
        { text: t("{name} allows {limit} such items, the patron has {has}.", values), ...link },
      ];
    case "renewalLimit":
      return [
        {
          text: t("{name} allows {limit} renewals, the loan has had {has}.", values),
          ...link,
        },
      ];
    case "notLater": {
      const by = because.byPolicy ? formatDateTime(because.byPolicy, clock) : "?";
      const due = because.due ? formatDateTime(because.due, clock) : "?";
      return [
        { text: t("{name} gives {by}, not later than {due}.", { ...values, by, due }), ...link },
      ];
    }
    case "itemStatus":
    case "claimedReturned":
    case "noOpening":
    case "noLostLoan":
      return OF_RETURNS[because.cause](because, clock);
    case "request":
      return [
        {
          text: t("A request waits for the item."),
          link: linkToRequest(because.requestId ?? ""),
        },
      ];
  }
}
