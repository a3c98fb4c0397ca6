import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Form } from "react-aria-components";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { ChangedNotice } from "../records/ChangedNotice";
import { LeaveGuard } from "../records/LeaveGuard";
import { useNewRecord } from "../records/newRecord";
import { ChangedElsewhereError, useDraft } from "../records/useDraft";
import { isSame } from "../records/values";
import { ContactFields, PatronFields } from "./PatronFields";
import styles from "./Patrons.module.css";
import { draftOf, NEW_PATRON, type PatronDraft } from "./patronDraft";
import { labels } from "./patronLabels";
import { type FieldErrors, fieldErrors, savePatron } from "./savePatron";

interface Props {
  /** The record as it was read; a new patron without it. */
  base: User | undefined;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

export function PatronForm({ base, onSaved, onCancel }: Props) {
  const { read, draft, meanwhile, change, join } = useDraft(base, (user) =>
    user ? draftOf(user) : NEW_PATRON,
  );
  const made = useNewRecord("/users");
  const save = useMutation({
    mutationFn: () => savePatron(draft, read, made),
    onSuccess: onSaved,
    onError: join,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate();
  };
  const errors = translated(fieldErrors(save.error));
  const isChanged = save.error instanceof ChangedElsewhereError;
  return (
    <Form className={styles.form ?? ""} onSubmit={submit} validationErrors={errors}>
      <LeaveGuard isDirty={!save.isSuccess && !isSame(draft, read ? draftOf(read) : NEW_PATRON)} />
      {meanwhile && (
        <ChangedNotice {...{ meanwhile, draft, shown }} labels={labels()} onChange={change} />
      )}
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

function shown(value: PatronDraft[keyof PatronDraft]): string {
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (typeof value === "string") return value;
  return value.map(({ addressLine1, city }) => [addressLine1, city].join(" ").trim()).join("; ");
}
