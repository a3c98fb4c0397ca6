import type { HoldingsRecord, StoredItem } from "../../api/catalogue";
import { t } from "../../lib/i18n";
import { DataTable, type TableColumn } from "../../ui/DataTable";
import { Facts, Section } from "../../ui/Detail";
import { LinkButton } from "../../ui/LinkButton";
import { fieldsOf } from "../records/kind";
import { factsOf } from "../records/RecordDetail";
import { type References, useReferences } from "../records/references";
import { referencesOf } from "../records/show";
import { useClock } from "../tenant/useClock";
import { DeleteMenu } from "./DeleteMenu";
import { callNumber } from "./describe";
import { HOLDINGS_SECTIONS } from "./forms/holdings";
import { ItemStatus } from "./ItemStatus";

interface Props {
  holdings: HoldingsRecord;
  items: readonly StoredItem[];
  references: References;
}

/** What the title of the section says already. */
const IN_TITLE = ["callNumber", "callNumberPrefix", "callNumberSuffix", "permanentLocationId"];

const DETAILS = fieldsOf(HOLDINGS_SECTIONS).filter(({ path }) => !IN_TITLE.includes(path));

/** A holdings record with its items. */
export function HoldingsSection({ holdings, items, references }: Props) {
  const clock = useClock();
  const details = useReferences(referencesOf(DETAILS));
  const location = references.nameOf("locations", holdings.permanentLocationId);
  const { callNumberPrefix: prefix, callNumberSuffix: suffix } = holdings;
  const number = callNumber({
    ...(prefix && { prefix }),
    ...(holdings.callNumber && { callNumber: holdings.callNumber }),
    ...(suffix && { suffix }),
  });
  const name = [location, number].filter(Boolean).join(", ");
  const url = `/catalogue/holdings/${holdings.id}`;
  return (
    <Section
      title={t("Holdings: {name}", { name })}
      actions={
        <>
          <LinkButton href={`${url}/edit`} needs="PUT /holdings-storage/holdings/{id}">
            {t("Edit holdings")}
          </LinkButton>
          <LinkButton href={`${url}/items/new`} needs="POST /inventory/items">
            {t("Add an item")}
          </LinkButton>
          <DeleteMenu
            kind="holdings"
            id={holdings.id}
            name={name}
            disabledReason={
              items.length > 0
                ? t("It has items, which would have to be deleted first.")
                : undefined
            }
            goTo={`/catalogue/instances/${holdings.instanceId}`}
          />
        </>
      }
    >
      <DataTable
        label={t("Items of {name}", { name })}
        columns={columns(holdings, references)}
        rows={items}
        hrefOf={({ id }) => `/catalogue/items/${id}`}
        empty={t("No items.")}
      />
      <Facts facts={factsOf(DETAILS, holdings, { references: details, clock })} />
    </Section>
  );
}

function columns(
  { effectiveLocationId }: HoldingsRecord,
  { nameOf }: References,
): TableColumn<StoredItem>[] {
  return [
    { id: "barcode", title: t("Barcode"), cell: ({ barcode }) => barcode ?? t("No barcode") },
    {
      id: "status",
      title: t("Status"),
      cell: ({ status }) => <ItemStatus status={status.name} />,
    },
    {
      id: "material",
      title: t("Material type"),
      cell: ({ materialTypeId }) => nameOf("material-types", materialTypeId),
      isSecondary: true,
    },
    {
      id: "loan",
      title: t("Loan type"),
      cell: (item) =>
        nameOf("loan-types", item.temporaryLoanTypeId ?? item.permanentLoanTypeId ?? ""),
      isSecondary: true,
    },
    {
      id: "location",
      title: t("Location"),
      // That of the holdings stands in the title.
      cell: (item) =>
        item.effectiveLocationId === effectiveLocationId
          ? ""
          : nameOf("locations", item.effectiveLocationId),
      isSecondary: true,
    },
    {
      id: "copy",
      title: t("Volume, copy"),
      cell: ({ volume, enumeration, copyNumber }) =>
        [volume, enumeration, copyNumber].filter(Boolean).join(", "),
      isSecondary: true,
    },
  ];
}
