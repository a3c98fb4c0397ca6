import { listRecords } from "../../api/records";
import { t } from "../../lib/i18n";
import { EditPage, useId } from "./EditPage";
import { HOLDINGS, readHoldings } from "./editing";
import { HOLDINGS_SECTIONS, newHoldings } from "./forms/holdings";

/** Changes holdings. */
export default function HoldingsForm() {
  const id = useId();
  return (
    <EditPage
      waiting={t("Holdings")}
      title={() => t("Edit holdings")}
      sections={HOLDINGS_SECTIONS}
      queryKey={["holdings", id]}
      read={() => readHoldings(id)}
      isStored
      path={HOLDINGS}
      needs="PUT /holdings-storage/holdings/{id}"
      pageOf={({ instanceId }) => `/catalogue/instances/${instanceId}`}
    />
  );
}

/** New holdings for an instance. */
export function NewHoldingsForm() {
  const instanceId = useId();
  return (
    <EditPage
      waiting={t("Holdings")}
      title={() => t("New holdings")}
      sections={HOLDINGS_SECTIONS}
      queryKey={["new-holdings", instanceId]}
      read={async () => ({ ...newHoldings(instanceId), sourceId: await ownSource() })}
      isStored={false}
      path={HOLDINGS}
      needs="POST /holdings-storage/holdings"
      pageOf={() => `/catalogue/instances/${instanceId}`}
    />
  );
}

/** The source of holdings that are made here, and not from a MARC record. */
async function ownSource(): Promise<unknown> {
  const sources = await listRecords("/holdings-sources", "holdingsRecordsSources");
  return sources.find(({ name }) => name === "FOLIO")?.id;
}
