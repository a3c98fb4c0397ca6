import type { Description, Note } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Checkbox } from "../../../ui/choices";
import { TextArea, TextField } from "../../../ui/fields";
import { inWords } from "../values";
import type { FormProps } from "./forms";
import { hasMore, newNote, textsOf, withText } from "./notes";
import { Parts } from "./Parts";
import { ValueField } from "./ValueField";

export function NoteParts({ mine, set, lists }: FormProps<Description>) {
  const notes = mine.notes ?? [];
  const isDigital = mine.jsonmodel_type === "digital_object";
  const single = lists.note_singlepart_type ?? [];
  const types = isDigital
    ? (lists.note_digital_object_type ?? [])
    : [...(lists.note_multipart_type ?? []), ...single].sort((one, other) =>
        inWords(one).localeCompare(inWords(other)),
      );
  const add = (type: string) => {
    const digital = { jsonmodel_type: "note_digital_object", type, content: [""], publish: true };
    if (type) set({ notes: [...notes, isDigital ? digital : newNote(type, single)] });
  };
  return (
    <Parts
      name={t("Note")}
      parts={notes}
      onChange={(notes) => set({ notes })}
      // Chosen anew each time, so that the same type can be added twice.
      adding={
        <ValueField
          key={notes.length}
          label={t("Add a note of the type")}
          list={types}
          onChange={add}
        />
      }
    >
      {(note, change) => <NoteFields note={note} change={change} />}
    </Parts>
  );
}

interface FieldsProps {
  note: Note;
  change: (changes: Partial<Note>) => void;
}

function NoteFields({ note, change }: FieldsProps) {
  const name = inWords(note.type ?? note.jsonmodel_type.replace(/^note_/, ""));
  const texts = textsOf(note);
  return (
    <>
      <strong>{name}</strong>
      {texts.map((text, at) => (
        <TextArea
          // biome-ignore lint/suspicious/noArrayIndexKey: texts have no names of their own
          key={at}
          label={texts.length > 1 ? t("Text {number}", { number: at + 1 }) : t("Text")}
          value={text}
          rows={Math.min(Math.max(Math.ceil(text.length / 70), 3), 14)}
          onChange={(text) => change(withText(note, at, text))}
        />
      ))}
      {hasMore(note) && <p>{t("This note also has a list, which stays as it is.")}</p>}
      <TextField
        label={t("Label instead of the type")}
        value={note.label ?? ""}
        onChange={(label) => change({ label })}
      />
      <Checkbox
        label={t("Published")}
        isSelected={note.publish ?? false}
        onChange={(publish) => change({ publish })}
      />
    </>
  );
}
