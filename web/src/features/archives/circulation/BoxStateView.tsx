/** Where a box that circulates is, as the desk knows it. Who has or wants it is not the archives' business. */
import { Link } from "react-aria-components";
import type { BoxState } from "../../../api/archivesTypes";
import { formatDateTime } from "../../../lib/dates";
import { fixed } from "../../../lib/fixedValues";
import { t } from "../../../lib/i18n";
import { type Fact, Facts, Section } from "../../../ui/Detail";
import { LinkButton } from "../../../ui/LinkButton";
import { ItemStatus } from "../../catalogue/ItemStatus";
import { useClock } from "../../tenant/useClock";
import { WhyButton } from "../../why/WhyButton";

export function BoxStateView({ state }: { state: BoxState }) {
  const clock = useClock();
  const moment = (text: string | undefined) => text && formatDateTime(text, clock);
  const { item_id, status, requests } = state;
  const facts: Fact[] = [
    [t("Status"), <ItemStatus key="status" status={status} />],
    [t("Since"), moment(state.since)],
    [
      t("Due"),
      state.due && (
        <>
          {moment(state.due)}{" "}
          <WhyButton question={{ about: "loan-of-item", itemId: item_id }} subject={t("Due")} />
        </>
      ),
    ],
    [t("Use at location"), state.use_at_location && fixed("useAtLocation", state.use_at_location)],
    [t("On hold at"), state.on_hold_at],
    [t("In transit to"), state.in_transit_to],
    [t("Location"), state.location],
    [
      t("Open requests"),
      requests === 0 ? (
        t("None")
      ) : (
        <Link key="requests" href={`/requests/queue/item/${item_id}`}>
          {String(requests)}
        </Link>
      ),
    ],
  ];
  return (
    <Section
      title={t("Circulation")}
      actions={<LinkButton href={`/catalogue/items/${item_id}`}>{t("Show the item")}</LinkButton>}
    >
      <Facts facts={facts} />
    </Section>
  );
}
