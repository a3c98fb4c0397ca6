import { queryOptions } from "@tanstack/react-query";
import { listNotes, listNoteTypes } from "../../api/patrons";
import { patronKey } from "../patrons/queries";

export const notesKey = (userId: string) => [...patronKey(userId), "notes"];

export const notesOf = (userId: string) =>
  queryOptions({ queryKey: notesKey(userId), queryFn: () => listNotes(userId) });

export const noteTypes = queryOptions({
  queryKey: ["note-types"],
  queryFn: listNoteTypes,
  staleTime: 600_000,
});
