import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { mergeDrafts } from "../../lib/threeWay";
import { Button } from "../../ui/Button";
import { announce } from "../../ui/LiveRegion";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { LeaveGuard } from "../records/LeaveGuard";
import { useNewRecord } from "../records/newRecord";
import { isSame } from "../records/values";
import { ChangedNotice } from "./ChangedNotice";
import { ContactFields, PatronFields } from "./PatronFields";
import styles from "./Patrons.module.css";
import { draftOf, NEW_PATRON, type PatronDraft } from "./patronDraft";
import { ChangedElsewhereError, type FieldErrors, fieldErrors, savePatron } from "./savePatron";

interface Props {
  /** The record as it was read; a new patron without it. */
  base: User | undefined;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

/** What another person changed while this form was open. */
export interface Meanwhile {
  theirs: PatronDraft;
  taken: (keyof PatronDraft)[];
  disputed: (keyof PatronDraft)[];
}

export function PatronForm({ base, onSaved, onCancel }: Props) {
  const [read, setRead] = useState(base);
  const [draft, setDraft] = useState(() => (base ? draftOf(base) : NEW_PATRON));
  const [meanwhile, setMeanwhile] = useState<Meanwhile>();
  const made = useNewRecord("/users");
  const save = useMutation({
    mutationFn: () => savePatron(draft, read, made),
    onSuccess: onSaved,
    onError: (error) => {
      if (error instanceof ChangedElsewhereError) join(error.current);
    },
  });
  /** Takes what the other changed, keeps what was typed here, and lets the next save write over it. */
  const join = (current: User) => {
    const theirs = draftOf(current);
    const { merged, taken, disputed } = mergeDrafts(
      read ? draftOf(read) : NEW_PATRON,
      draft,
      theirs,
    );
    setDraft(merged);
    setRead(current);
    setMeanwhile({ theirs, taken, disputed });
    announce(t("Somebody else has changed this record. Nothing was saved yet."), "assertive");
  };
  const change = (changes: Partial<PatronDraft>) => setDraft((now) => ({ ...now, ...changes }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate();
  };
  const errors = translated(fieldErrors(save.error));
  const isChanged = save.error instanceof ChangedElsewhereError;
  return (
    <Form className={styles.form ?? ""} onSubmit={submit} validationErrors={errors}>
      <LeaveGuard isDirty={!save.isSuccess && !isSame(draft, read ? draftOf(read) : NEW_PATRON)} />
      {meanwhile && <ChangedNotice meanwhile={meanwhile} draft={draft} onChange={change} />}
      {!isChanged && <ProblemNotice error={save.error} title={t("The patron was not saved.")} />}
      <PatronFields draft={draft} onChange={change} errors={errors} />
      <ContactFields draft={draft} onChange={change} errors={errors} />
      <div className={styles.buttons}>
        <Button
          type="submit"
          look="primary"
          needs={base ? "PUT /users/{id}" : "POST /users"}
          isPending={save.isPending}
        >
          {t("Save")}
        </Button>
        <Button onPress={onCancel}>{t("Cancel")}</Button>
      </div>
    </Form>
  );
}

const translated = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, words]) => [name, t(words)]));
