import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getNote, type Note, type NoteInput, replaceNote } from "../../api/patrons";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { FormDialog } from "../../ui/FormDialog";
import { TextArea, TextField } from "../../ui/fields";
import { ChangedNotice } from "../records/ChangedNotice";
import { useNewRecord } from "../records/newRecord";
import { ChangedElsewhereError, useDraft } from "../records/useDraft";
import { isFormatted, noteOfText, textOfNote } from "./noteText";
import { notesKey, noteTypes } from "./queries";

interface Props {
  userId: string;
  /** The note to change; a new one without it. */
  note: Note | undefined;
  onClose: () => void;
}

interface Draft {
  title: string;
  /** Empty: the first of the types. */
  typeId: string;
  text: string;
  atCheckOut: boolean;
  atPatron: boolean;
}

export function NoteDialog({ userId, note, onClose }: Props) {
  const client = useQueryClient();
  const { data: types } = useQuery(noteTypes);
  const { read, draft, meanwhile, change, join, write } = useDraft(note, draftOf);
  const made = useNewRecord("/notes");
  const typeId = draft.typeId || (types?.[0]?.id ?? "");
  const bodyFor = (latest: Note | undefined) => noteOf({ ...draft, typeId }, latest, userId);
  const save = useMutation({
    mutationFn: async (): Promise<unknown> =>
      note
        ? write(
            () => getNote(note.id),
            (latest) => replaceNote(note.id, bodyFor(latest)),
          )
        : made.save({ ...bodyFor(undefined) }),
    onError: join,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: notesKey(userId) });
      onClose();
    },
  });
  if (!types) return null;
  const nameOfType = (id: string) => types.find((type) => type.id === id)?.name ?? id;
  const shown = (value: Draft[keyof Draft], field: keyof Draft): string => {
    if (typeof value === "boolean") return value ? t("Yes") : t("No");
    return field === "typeId" ? nameOfType(value) : value;
  };
  return (
    <FormDialog
      title={note ? t("Change the note") : t("Add a note")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error instanceof ChangedElsewhereError ? null : save.error}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      {meanwhile && (
        <ChangedNotice {...{ meanwhile, draft, shown }} labels={labels()} onChange={change} />
      )}
      <TextField
        label={t("Title")}
        name="title"
        value={draft.title}
        onChange={(title) => change({ title })}
        maxLength={255}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <SelectField
        label={t("Note type")}
        name="typeId"
        options={types.map(({ id, name }) => ({ id, label: name }))}
        value={typeId}
        onChange={(typeId) => change({ typeId })}
        isRequired
      />
      <TextArea
        label={t("Text")}
        name="content"
        value={draft.text}
        onChange={(text) => change({ text })}
        {...(isFormatted(read?.content ?? "") && {
          description: t("This note is formatted. If you change its text, only paragraphs remain."),
        })}
      />
      <Checkbox
        label={t("Show it at check-out")}
        isSelected={draft.atCheckOut}
        onChange={(atCheckOut) => change({ atCheckOut })}
      />
      <Checkbox
        label={t("Show it with the patron")}
        isSelected={draft.atPatron}
        onChange={(atPatron) => change({ atPatron })}
      />
    </FormDialog>
  );
}

/** The names of the form's fields. */
const labels = (): Record<keyof Draft, string> => ({
  title: t("Title"),
  typeId: t("Note type"),
  text: t("Text"),
  atCheckOut: t("Show it at check-out"),
  atPatron: t("Show it with the patron"),
});

const draftOf = (note: Note | undefined): Draft => ({
  title: note?.title ?? "",
  typeId: note?.typeId ?? "",
  text: textOfNote(note?.content ?? ""),
  atCheckOut: note?.popUpOnCheckOut ?? false,
  atPatron: note?.popUpOnUser ?? false,
});

/** A text that was not changed keeps its form. */
function noteOf(draft: Draft, latest: Note | undefined, userId: string): NoteInput {
  const content = latest?.content ?? "";
  const isSameText = draft.text.trim() === textOfNote(content).trim();
  return {
    typeId: draft.typeId,
    title: draft.title.trim(),
    domain: "users",
    content: isSameText ? content : noteOfText(draft.text),
    popUpOnCheckOut: draft.atCheckOut,
    popUpOnUser: draft.atPatron,
    links: latest?.links ?? [{ id: userId, type: "user" }],
  };
}
