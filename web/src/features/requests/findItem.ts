import { RefusedError } from "../../api/errors";
import { type InventoryItem, listItems } from "../../api/requests";
import { field } from "../../lib/cql";

/** The item with this barcode; refused in the words of a scan if there is none. */
export async function findItem(barcode: string): Promise<InventoryItem> {
  const [item] = await listItems({ query: field("barcode", "==", barcode), limit: 1 });
  if (item) return item;
  const parameters = [{ key: "itemBarcode", value: barcode }];
  const message = `No item with barcode ${barcode} exists`;
  throw new RefusedError(422, [{ message, code: "ITEM_BARCODE_NOT_FOUND", parameters }]);
}
