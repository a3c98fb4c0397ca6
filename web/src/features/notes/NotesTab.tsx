/** What staff have written about a patron. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteNote, type Note } from "../../api/patrons";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Detail";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "../patrons/Patrons.module.css";
import { useClock } from "../tenant/useClock";
import { NoteContent } from "./NoteContent";
import { NoteDialog } from "./NoteDialog";
import { notesKey, notesOf } from "./queries";

export function NotesTab({ userId }: { userId: string }) {
  const { data: notes, error, refetch } = useQuery(notesOf(userId));
  const [editing, setEditing] = useState<Note | "new">();
  const [deleting, setDeleting] = useState<Note>();
  return (
    <Section
      title={t("Notes")}
      actions={
        <Button needs="POST /notes" onPress={() => setEditing("new")}>
          {t("Add a note…")}
        </Button>
      }
    >
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {notes?.length === 0 && <p>{t("No notes.")}</p>}
      <ul className={styles.list} aria-label={t("Notes")}>
        {notes?.map((note) => (
          <NoteEntry
            key={note.id}
            note={note}
            onEdit={() => setEditing(note)}
            onDelete={() => setDeleting(note)}
          />
        ))}
      </ul>
      {editing && (
        <NoteDialog
          userId={userId}
          note={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog userId={userId} note={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </Section>
  );
}

function NoteEntry(props: { note: Note; onEdit: () => void; onDelete: () => void }) {
  const { title, type, content = "", popUpOnCheckOut, popUpOnUser, metadata } = props.note;
  const clock = useClock();
  return (
    <li className={styles.entry}>
      <div>
        <strong>{title}</strong> {type && <Badge>{type}</Badge>}{" "}
        {popUpOnCheckOut && <Badge tone="notice">{t("Shown at check-out")}</Badge>}{" "}
        {popUpOnUser && <Badge tone="notice">{t("Shown with the patron")}</Badge>}
        <NoteContent html={content} />
        <div className={styles.muted}>
          {metadata?.updatedDate && formatDateTime(metadata.updatedDate, clock)}
        </div>
      </div>
      <div className={styles.buttons}>
        <Button
          look="quiet"
          needs="PUT /notes/{id}"
          onPress={props.onEdit}
          aria-label={t("Change the note {title}", { title })}
        >
          {t("Change…")}
        </Button>
        <Button
          look="quiet"
          needs="DELETE /notes/{id}"
          onPress={props.onDelete}
          aria-label={t("Delete the note {title}", { title })}
        >
          {t("Delete…")}
        </Button>
      </div>
    </li>
  );
}

function DeleteDialog(props: { userId: string; note: Note; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteNote(props.note.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: notesKey(props.userId) });
      props.onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("Delete this note?")}
      confirmLabel={t("Delete the note")}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={props.onClose}
    >
      <p>{props.note.title}</p>
      <p>{t("This cannot be undone.")}</p>
    </ConfirmDialog>
  );
}
