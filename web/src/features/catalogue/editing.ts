/** Records of the catalogue as they are edited, and their saving. */
import { getHoldings, getItem } from "../../api/catalogue";
import { createRecord, getRecord, replaceRecord } from "../../api/records";
import { isValues, type Values } from "../records/values";

const INSTANCES = "/inventory/instances";
const HOLDINGS = "/holdings-storage/holdings";
const ITEMS = "/inventory/items";

/** An item refers to other records with `{id, name}`; a form changes the id, and an old name beside it would mislead. */
export function withoutNames(item: Values): Values {
  const names = [
    "materialType",
    "permanentLoanType",
    "temporaryLoanType",
    "permanentLocation",
    "temporaryLocation",
  ];
  const changed = names.flatMap((member) => {
    const value = item[member];
    return isValues(value) ? [[member, { id: value.id }] as const] : [];
  });
  return { ...item, ...Object.fromEntries(changed) };
}

export const readInstance = (id: string): Promise<Values> => getRecord(INSTANCES, id);

export const readHoldings = (id: string): Promise<Values> => getHoldings(id);

export const readItem = async (id: string): Promise<Values> => withoutNames(await getItem(id));

export const saveInstance = (record: Values) => save(INSTANCES, record);
export const saveHoldings = (record: Values) => save(HOLDINGS, record);
export const saveItem = (record: Values) => save(ITEMS, record);

/** Replaces a record that has an id, and creates one that has none; answers with the id. */
async function save(
  path: typeof INSTANCES | typeof HOLDINGS | typeof ITEMS,
  record: Values,
): Promise<string> {
  if (typeof record.id === "string") {
    await replaceRecord(path, record.id, record);
    return record.id;
  }
  const created = await createRecord(path, record);
  return String(created?.id ?? "");
}
