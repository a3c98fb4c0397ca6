import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Note, type NoteInput, replaceNote } from "../../api/patrons";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { FormDialog } from "../../ui/FormDialog";
import { TextArea, TextField } from "../../ui/fields";
import { useNewRecord } from "../records/newRecord";
import { isFormatted, noteOfText, textOfNote } from "./noteText";
import { notesKey, noteTypes } from "./queries";

interface Props {
  userId: string;
  /** The note to change; a new one without it. */
  note: Note | undefined;
  onClose: () => void;
}

export function NoteDialog({ userId, note, onClose }: Props) {
  const client = useQueryClient();
  const { data: types } = useQuery(noteTypes);
  const made = useNewRecord("/notes");
  const content = note?.content ?? "";
  const save = useMutation({
    mutationFn: (body: NoteInput): Promise<unknown> =>
      note ? replaceNote(note.id, body) : made.save({ ...body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: notesKey(userId) });
      onClose();
    },
  });
  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    const isSame = text("content").trim() === textOfNote(content);
    save.mutate({
      typeId: text("type"),
      title: text("title").trim(),
      domain: "users",
      content: isSame ? content : noteOfText(text("content")),
      popUpOnCheckOut: form.has("atCheckOut"),
      popUpOnUser: form.has("atPatron"),
      links: note?.links ?? [{ id: userId, type: "user" }],
    });
  };
  if (!types) return null;
  return (
    <FormDialog
      title={note ? t("Change the note") : t("Add a note")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        label={t("Title")}
        name="title"
        defaultValue={note?.title ?? ""}
        maxLength={255}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <SelectField
        label={t("Note type")}
        name="type"
        options={types.map(({ id, name }) => ({ id, label: name }))}
        defaultValue={note?.typeId ?? types[0]?.id}
        isRequired
      />
      <TextArea
        label={t("Text")}
        name="content"
        defaultValue={textOfNote(content)}
        {...(isFormatted(content) && {
          description: t("This note is formatted. If you change its text, only paragraphs remain."),
        })}
      />
      <Checkbox
        name="atCheckOut"
        label={t("Show it at check-out")}
        defaultSelected={note?.popUpOnCheckOut ?? false}
      />
      <Checkbox
        name="atPatron"
        label={t("Show it with the patron")}
        defaultSelected={note?.popUpOnUser ?? false}
      />
    </FormDialog>
  );
}
