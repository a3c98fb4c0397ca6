/** The calls for records that are listed, read, added, replaced and deleted in the same way, whatever their kind. */
import { api, bodyOf } from "./client";
import type { paths } from "./schema";

/** The paths of lists whose records have a path of their own that takes a PUT. */
export type RecordPath = {
  [P in keyof paths]: `${P}/{id}` extends keyof paths
    ? paths[`${P}/{id}`] extends { put: object }
      ? P
      : never
    : never;
}[keyof paths];

/** The paths of lists of records with an id. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends { get: { parameters: { query?: { limit?: number } } } }
    ? P
    : never;
}[keyof paths];

type Stored = Record<string, unknown>;

/** More than any library has of what is listed whole: policies, types, locations. */
const ALL = 10_000;

/** The paths differ in nothing that these calls use, so one of them stands for all. */
const one = (path: RecordPath) => `${path}/{id}` as "/groups/{id}";

/** All records of a list; `list` is the member of the answer that holds them. */
export async function listRecords(path: ListPath, list: string, query?: string): Promise<Stored[]> {
  const params = { query: { limit: ALL, ...(query && { query }) } };
  const answer: Stored = await bodyOf(api.GET(path as "/groups", { params }));
  return (answer[list] ?? []) as Stored[];
}

export const getRecord = (path: RecordPath, id: string): Promise<Stored> =>
  bodyOf(api.GET(one(path), { params: { path: { id } } }));

export const createRecord = (path: RecordPath, record: Stored): Promise<Stored | undefined> =>
  bodyOf(api.POST(path as "/groups", { body: record as never }));

export async function replaceRecord(path: RecordPath, id: string, record: Stored): Promise<void> {
  await bodyOf(api.PUT(one(path), { params: { path: { id } }, body: record as never }));
}

export async function deleteRecord(path: RecordPath, id: string): Promise<void> {
  await bodyOf(api.DELETE(one(path), { params: { path: { id } } }));
}
