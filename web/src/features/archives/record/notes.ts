/** Notes of descriptions: their texts, which can be edited, and what else they hold, which stays as it is. */
import type { Note, SubNote } from "../../../api/archivesTypes";

/** The texts of a note, in their order. */
export function textsOf(note: Note): string[] {
  if (note.subnotes) return note.subnotes.filter(isText).map(({ content }) => content ?? "");
  if (Array.isArray(note.content)) return note.content;
  return note.content === undefined ? [] : [note.content];
}

/** The note with another text at this place among its texts. */
export function withText(note: Note, at: number, text: string): Note {
  if (note.subnotes) {
    let seen = -1;
    const subnotes = note.subnotes.map((part) => {
      if (isText(part)) seen += 1;
      return isText(part) && seen === at ? { ...part, content: text } : part;
    });
    return { ...note, subnotes };
  }
  if (Array.isArray(note.content)) {
    return { ...note, content: note.content.map((one, place) => (place === at ? text : one)) };
  }
  return { ...note, content: text };
}

/** Whether a note holds lists or tables beside its texts. */
export function hasMore(note: Note): boolean {
  return (note.subnotes ?? []).some((part) => !isText(part)) || Array.isArray(note.items);
}

/** The lists of a note, line by line. */
export function linesOf(note: Note): string[] {
  const parts = [note, ...(note.subnotes ?? []).filter((part) => !isText(part))];
  return parts.flatMap((part) => (Array.isArray(part.items) ? part.items.map(lineOf) : []));
}

function lineOf(item: unknown): string {
  if (typeof item === "string") return item;
  if (typeof item !== "object" || item === null) return "";
  const { label, value, event_date, events, reference_text } = item as Record<string, unknown>;
  const parts = [
    label,
    event_date,
    value,
    reference_text,
    ...(Array.isArray(events) ? events : []),
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(": ");
}

/** An empty note of a type of one of the two lists. */
export function newNote(type: string, singleTypes: readonly string[]): Note {
  if (singleTypes.includes(type)) {
    return { jsonmodel_type: "note_singlepart", type, content: [""], publish: true };
  }
  const text = { jsonmodel_type: "note_text", content: "", publish: true };
  return { jsonmodel_type: "note_multipart", type, subnotes: [text], publish: true };
}

/** Paragraphs of a text with the markup of finding aids taken out. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n|<\/p>\s*<p>/)
    .map((part) =>
      part
        .replace(/<lb\s*\/?>/g, "\n")
        .replace(/<[^>]*>/g, "")
        .trim(),
    )
    .filter((part) => part !== "");
}

const isText = ({ jsonmodel_type }: SubNote): boolean => jsonmodel_type === "note_text";
