/**
 * The form for a record. What is typed stays until it is saved, whatever happens: a refusal is shown at its field, an
 * expired session or a lost connection above the form, and changes that somebody else made meanwhile are brought in.
 */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { RefusedError } from "../../api/errors";
import type { Call } from "../../api/permissions";
import { t } from "../../lib/i18n";
import { entryInWords } from "../../lib/wording";
import { Button } from "../../ui/Button";
import { Section } from "../../ui/Detail";
import { announce } from "../../ui/LiveRegion";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { FieldInput } from "./FieldInput";
import { faultsOf } from "./faults";
import { applying, type Section as Declared, fieldsOf } from "./kind";
import { LeaveGuard } from "./LeaveGuard";
import { MergeNotice } from "./MergeNotice";
import { type Merged, merge } from "./merge";
import styles from "./records.module.css";
import type { References } from "./references";
import { tidy } from "./tidy";
import { isSame, type Values } from "./values";

interface Props {
  sections: readonly Declared[];
  /** The record as it was read, or a new one. */
  initial: Values;
  references: References;
  /** Gets the record as it was read as well, to find out whether it is still that. */
  save: (record: Values, base: Values) => Promise<unknown>;
  /** The call that saving is, for users who may not make it. */
  needs?: Call | undefined;
  /** Reads the record again after somebody else changed it. */
  reread?: () => Promise<Values>;
  /** Why it cannot be saved, whatever is typed. */
  disabledReason?: string | undefined;
  submitLabel?: string;
  /** Words a refusal with more than its reasons; without it, or with nothing from it, the reasons are listed. */
  explain?: (error: unknown) => ReactNode;
  /** May leave the page; with `ignoreBlocker`, since the form still knows of changes. */
  onSaved: (answer: unknown) => void;
  /** A form without it is a page to stay on. */
  onCancel?: () => void;
}

export function Editor({ sections, references, save, needs, reread, onSaved, ...props }: Props) {
  const [base, setBase] = useState(props.initial);
  const [record, setRecord] = useState(props.initial);
  const [merged, setMerged] = useState<Merged>();
  const saving = useMutation({
    mutationFn: (record: Values) => save(tidy(sections, record), base),
    onSuccess: (answer, saved) => {
      announce(t("Saved."));
      setBase(saved);
      onSaved(answer);
    },
  });
  const refusal = faultsOf(saving.error, sections, entryInWords);
  const bringIn = async () => {
    if (!reread) return;
    const latest = await reread();
    const result = merge(base, record, latest);
    setBase(latest);
    setRecord(result.record);
    setMerged(result);
    saving.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate(record);
  };
  return (
    <Form
      className={styles.form ?? ""}
      onSubmit={submit}
      validationErrors={Object.fromEntries(refusal.at)}
    >
      <LeaveGuard isDirty={!isSame(base, record)} />
      {applying(sections, record).map(({ title, fields }) => (
        <Section key={title} title={t(title)}>
          <div className={styles.fields}>
            {fields.map((field) => (
              <FieldInput
                key={`${field.path} ${field.label}`}
                field={field}
                name={field.path}
                record={record}
                onChange={setRecord}
                references={references}
              />
            ))}
          </div>
        </Section>
      ))}
      {merged && <MergeNotice merged={merged} fields={fieldsOf(sections)} />}
      {(saving.error && props.explain?.(saving.error)) || (
        <ProblemNotice
          error={saving.error && errorToShow(saving.error, refusal.at.size)}
          title={t("Nothing was saved.")}
          {...(reread && { onReload: () => void bringIn() })}
        />
      )}
      <div className={styles.actions}>
        <Button
          type="submit"
          look="primary"
          needs={needs}
          disabledReason={props.disabledReason}
          isPending={saving.isPending}
        >
          {props.submitLabel ?? t("Save")}
        </Button>
        {props.onCancel && <Button onPress={props.onCancel}>{t("Cancel")}</Button>}
      </div>
    </Form>
  );
}

/** Reasons that stand at their fields are said again only in numbers. */
function errorToShow(error: unknown, atFields: number): unknown {
  if (!(error instanceof RefusedError) || atFields === 0) return error;
  if (error.entries.length > atFields) return error;
  return new RefusedError(error.status, [
    {
      message: t("{count, plural, one {A field needs} other {# fields need}} another value.", {
        count: atFields,
      }),
      parameters: [],
    },
  ]);
}
