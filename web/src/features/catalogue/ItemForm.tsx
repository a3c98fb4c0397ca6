import { t } from "../../lib/i18n";
import { EditPage, useId } from "./EditPage";
import { ITEMS, readItem } from "./editing";
import { ITEM_SECTIONS, newItem } from "./forms/item";

const pageOf = (_: unknown, id: string) => (id ? `/catalogue/items/${id}` : "/catalogue");

/** Changes an item. */
export default function ItemForm() {
  const id = useId();
  return (
    <EditPage
      waiting={t("Item")}
      title={({ barcode }) =>
        barcode ? t("Edit item {barcode}", { barcode: String(barcode) }) : t("Edit item")
      }
      sections={ITEM_SECTIONS}
      queryKey={["item", id]}
      read={() => readItem(id)}
      isStored
      path={ITEMS}
      needs="PUT /inventory/items/{id}"
      pageOf={pageOf}
    />
  );
}

/** A new item for holdings. */
export function NewItemForm() {
  const holdingsId = useId();
  return (
    <EditPage
      waiting={t("Item")}
      title={() => t("New item")}
      sections={ITEM_SECTIONS}
      queryKey={["new-item", holdingsId]}
      read={() => Promise.resolve(newItem(holdingsId))}
      isStored={false}
      path={ITEMS}
      needs="POST /inventory/items"
      pageOf={pageOf}
    />
  );
}
