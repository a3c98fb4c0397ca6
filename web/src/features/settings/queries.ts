/** Reading and changing the records of any kind. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { RefusedError } from "../../api/errors";
import { deleteRecord, getRecord, listRecords, replaceRecord } from "../../api/records";
import type { Kind } from "../records/kind";
import { type Maker, newListedRecord, newRecord } from "../records/newRecord";
import { referenceKey } from "../records/references";
import { isSame, type Values } from "../records/values";

const keyOf = (kind: Kind) => ["settings", kind.id];

export const recordsOf = (kind: Kind) =>
  queryOptions({
    queryKey: [...keyOf(kind), "list"],
    queryFn: async (): Promise<Values[]> => {
      const { path, list, filter, columns } = kind;
      const records: Values[] = await listRecords(path, list, filter);
      const first = columns[0]?.path ?? "name";
      return records.sort((one, other) =>
        String(one[first] ?? "").localeCompare(String(other[first] ?? "")),
      );
    },
  });

const CALENDARS = "/calendar/calendars";

export const readRecord = (kind: Kind, id: string): Promise<Values> =>
  kind.isFixed || kind.path === CALENDARS ? fromList(kind, id) : getRecord(kind.path, id);

/** Of some lists, no single record can be read. */
async function fromList({ path, list, filter }: Kind, id: string): Promise<Values> {
  const records = await listRecords(path, list, filter);
  return records.find((record) => record.id === id) ?? getRecord(path, id);
}

export const recordOf = (kind: Kind, id: string) =>
  queryOptions({ queryKey: [...keyOf(kind), id], queryFn: () => readRecord(kind, id) });

const CONFLICT = 409;

/**
 * Replaces a record, or makes one without an id; answers with its id. Settings have no versions that the server compares,
 * so the record is read again first, and refused as stale if somebody else has changed it since `base` was read.
 */
export async function saveRecord(
  kind: Kind,
  record: Values,
  base: Values,
  made: Maker,
): Promise<string> {
  if (typeof record.id === "string") {
    const latest = await readRecord(kind, record.id);
    if (!isSame(latest, base)) throw new RefusedError(CONFLICT, []);
    await replaceRecord(kind.path, record.id, record);
    return record.id;
  }
  const { id } = await made.save(record);
  return String(id ?? "");
}

/** What makes a record of the kind, once for each time that the form opens. */
export const newOf = ({ path, list, toldBy }: Kind): Maker =>
  toldBy ? newListedRecord({ path, list, names: toldBy }) : newRecord(path);

/** Makes stale what shows records of the kind. */
export function useRefresh(kind: Kind): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keyOf(kind) }),
      ...(kind.affects ?? []).map((name) =>
        client.invalidateQueries({ queryKey: referenceKey(name) }),
      ),
    ]);
}

export function useDelete(kind: Kind, onDeleted: () => void) {
  const refresh = useRefresh(kind);
  return useMutation({
    mutationFn: (id: string) => deleteRecord(kind.path, id),
    onSuccess: () => {
      onDeleted();
      void refresh();
    },
  });
}
