/** Records of the catalogue as they are edited, and their saving. */
import { getHoldings, getItem } from "../../api/catalogue";
import { getRecord, replaceRecord } from "../../api/records";
import type { NewRecord } from "../records/newRecord";
import { isValues, type Values } from "../records/values";

export const INSTANCES = "/inventory/instances";
export const HOLDINGS = "/holdings-storage/holdings";
export const ITEMS = "/inventory/items";
export type CataloguePath = typeof INSTANCES | typeof HOLDINGS | typeof ITEMS;

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

/** Replaces a record that has an id, and makes one that has none; answers with the id. */
export async function save(path: CataloguePath, record: Values, made: NewRecord): Promise<string> {
  if (typeof record.id === "string") {
    await replaceRecord(path, record.id, record);
    return record.id;
  }
  await made.save(record);
  return made.id;
}
