/**
 * Making a record so that saving again makes it only once: its id is chosen with the form and sent with each attempt. An
 * attempt that is refused because an earlier one, whose answer was lost, has made the record counts as saved.
 */
import { useState } from "react";
import { ConnectionLostError, RefusedError } from "../../api/errors";
import {
  createRecord,
  getRecord,
  type ListPath,
  listRecords,
  type RecordPath,
  replaceRecord,
} from "../../api/records";
import { newId } from "../../lib/newId";
import { merge } from "./merge";
import { isSame, type Values } from "./values";

export interface Maker {
  /** Makes the record, or brings the one that is there to what is in the form now. */
  save: (record: Values) => Promise<Values>;
}

export interface NewRecord extends Maker {
  readonly id: string;
}

export function newRecord(path: RecordPath, id = newId()): NewRecord {
  /** What was sent by the attempts that made the record or may have. */
  const sent: Values[] = [];
  const save = async (values: Values): Promise<Values> => {
    const record = { ...values, id };
    try {
      const made = (await createRecord(path, record)) ?? record;
      sent.push(record);
      return made;
    } catch (error) {
      const made = error instanceof RefusedError && sent.length > 0 && (await found(path, id));
      if (error instanceof ConnectionLostError) sent.push(record);
      if (!made) throw error;
      return bringTo(path, sent, record, made);
    }
  };
  return { id, save };
}

interface Listed {
  path: RecordPath & ListPath;
  /** The member of the answer that has the records. */
  list: string;
  names: readonly string[];
}

/**
 * The same where the server chooses the id, whatever it is sent: before another attempt, the record of a lost one is looked
 * for in the list, by the members that name it.
 */
export function newListedRecord({ path, list, names }: Listed): Maker {
  const sent: Values[] = [];
  const save = async (record: Values): Promise<Values> => {
    const isMeant = (other: Values) =>
      sent.some((earlier) => names.every((name) => isSame(earlier[name], other[name])));
    const made = sent.length > 0 && (await listRecords(path, list)).find(isMeant);
    if (made) return bringTo(path, sent, { ...record, id: String(made.id) }, made);
    try {
      return (await createRecord(path, record)) ?? record;
    } catch (error) {
      if (error instanceof ConnectionLostError) sent.push(record);
      throw error;
    }
  };
  return { save };
}

/** One for each time that the form opens. */
export const useNewRecord = (path: RecordPath): NewRecord => useState(() => newRecord(path))[0];

/** The record with this id; undefined if the server says that there is none. */
async function found(path: RecordPath, id: string): Promise<Values | undefined> {
  try {
    return await getRecord(path, id);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** What was changed in the form since the attempt that made the record is written into it. */
async function bringTo(
  path: RecordPath,
  sent: readonly Values[],
  record: Values & { id: string },
  made: Values,
): Promise<Values> {
  if (sent.every((earlier) => isSame(earlier, record))) return made;
  const wanted = sent.reduce((latest, earlier) => merge(earlier, record, latest).record, made);
  await replaceRecord(path, record.id, wanted);
  return wanted;
}
