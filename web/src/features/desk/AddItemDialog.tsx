import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import { announce } from "../../ui/LiveRegion";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { FieldInput } from "../records/FieldInput";
import { applying, fieldsOf } from "../records/kind";
import { type References, useReferences } from "../records/references";
import { referencesOf } from "../records/show";
import type { Values } from "../records/values";
import styles from "./AddItemDialog.module.css";
import {
  blankItem,
  itemSaver,
  MORE_REFERENCES,
  recordsOf,
  SECTIONS,
  withDefaults,
} from "./addItem";

interface Props {
  barcode: string;
  /** The item is there and can be lent. */
  onAdded: () => void;
  onCancel: () => void;
}

/** Adds an item that the catalogue does not have, so that it can be lent at once. */
export function AddItemDialog(props: Props) {
  const references = useReferences([...referencesOf(fieldsOf(SECTIONS)), ...MORE_REFERENCES]);
  const defaults = useQuery({
    queryKey: ["add-item", props.barcode],
    queryFn: () => withDefaults(blankItem(props.barcode), references),
    enabled: !references.isPending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const error = references.error ?? defaults.error;
  if (!defaults.data) {
    return (
      <FormDialog
        title={t("Add an item")}
        submitLabel={t("Add and check out")}
        isBusy={!error}
        onSubmit={() => undefined}
        onCancel={props.onCancel}
      >
        <ProblemNotice error={error} onRetry={() => void defaults.refetch()} />
      </FormDialog>
    );
  }
  return <AddItem {...props} initial={defaults.data} references={references} />;
}

function AddItem({ initial, references, onAdded, onCancel }: Props & Given) {
  const [form, setForm] = useState(initial);
  const [save] = useState(() => itemSaver(initial));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => save(recordsOf(form, references)),
    onSuccess: () => {
      announce(t("The item was added."));
      onAdded();
    },
  });
  return (
    <FormDialog
      title={t("Add an item")}
      submitLabel={t("Add and check out")}
      error={error}
      isBusy={isPending}
      onSubmit={() => mutate()}
      onCancel={onCancel}
    >
      <p>{t("The catalogue has no item with this barcode. A cataloguer can complete it later.")}</p>
      {applying(SECTIONS, form).map(({ title, fields }) => (
        <fieldset key={title} className={styles.section}>
          <legend>{t(title)}</legend>
          {fields.map((field) => (
            <FieldInput
              key={field.path}
              field={field}
              name={field.path}
              record={form}
              onChange={setForm}
              references={references}
              autoFocus={field.path === "instance.title"}
            />
          ))}
        </fieldset>
      ))}
    </FormDialog>
  );
}

interface Given {
  initial: Values;
  references: References;
}
