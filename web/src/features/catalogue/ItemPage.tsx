/** An item: its state, who has it, its details, and the moves of its status. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { InventoryItem } from "../../api/catalogue";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { useSeen } from "../../lib/seen";
import { type Fact, Facts, Section } from "../../ui/Detail";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { fieldsOf } from "../records/kind";
import { RecordDetail } from "../records/RecordDetail";
import { useReferences } from "../records/references";
import { referencesOf } from "../records/show";
import { useClock } from "../tenant/useClock";
import { Circulation } from "./Circulation";
import { DeleteMenu } from "./DeleteMenu";
import { callNumber } from "./describe";
import { ITEM_SECTIONS } from "./forms/item";
import { ItemStatus } from "./ItemStatus";
import { holdingsRecord, inventoryItem } from "./queries";
import { StatusMenu } from "./StatusMenu";

export default function ItemPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return (
    <Loaded
      query={useQuery(inventoryItem(id))}
      title={t("Item")}
      parent={{ to: "/catalogue", label: t("Catalogue") }}
      missing={t("There is no such item. It may have been deleted.")}
    >
      {(item) => <Shown item={item} />}
    </Loaded>
  );
}

function Shown({ item }: { item: InventoryItem }) {
  const clock = useClock();
  const references = useReferences(referencesOf(fieldsOf(ITEM_SECTIONS)));
  const holdings = useQuery(holdingsRecord(item.holdingsRecordId));
  const instanceId = holdings.data?.instanceId;
  const parent = instanceId ? `/catalogue/instances/${instanceId}` : "/catalogue";
  const title = item.barcode
    ? t("Item {barcode}", { barcode: item.barcode })
    : t("Item without barcode");
  useSeen(`/catalogue/items/${item.id}`, title);
  const facts: Fact[] = [
    [t("Status"), <ItemStatus key="status" status={item.status.name} />],
    [t("Since"), item.status.date && formatDateTime(item.status.date, clock)],
    [t("Effective location"), item.effectiveLocation?.name],
    [t("Effective call number"), callNumber(item.effectiveCallNumberComponents as object)],
    [
      t("Last check-in"),
      item.lastCheckIn?.dateTime && formatDateTime(item.lastCheckIn.dateTime, clock),
    ],
  ];
  return (
    <Page
      title={title}
      subtitle={[item.title, item.hrid].filter(Boolean).join(" · ")}
      parent={{ to: parent, label: item.title ?? t("Catalogue") }}
      toolbar={
        <>
          <LinkButton
            href={`/catalogue/items/${item.id}/edit`}
            look="primary"
            needs="PUT /inventory/items/{id}"
          >
            {t("Edit")}
          </LinkButton>
          <StatusMenu item={item} />
          <DeleteMenu kind="item" id={item.id} name={item.barcode ?? t("the item")} goTo={parent} />
        </>
      }
    >
      <Section title={t("State")}>
        <Facts facts={facts} />
      </Section>
      <Circulation itemId={item.id} clock={clock} />
      <RecordDetail sections={ITEM_SECTIONS} record={item} around={{ references, clock }} />
    </Page>
  );
}
