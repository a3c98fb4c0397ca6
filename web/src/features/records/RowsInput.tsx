/** Lists within a record: of texts, or of rows with fields of their own. */
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { TextField } from "../../ui/fields";
import { FieldInput, type InputProps } from "./FieldInput";
import { type Field, fieldsApplying } from "./kind";
import styles from "./records.module.css";
import { useList } from "./useList";
import { rowsAt, textsAt, type Values, withValue } from "./values";

type RowsField = Extract<Field, { as: "rows" }>;
type TextsField = Extract<Field, { as: "texts" }>;

export function RowsInput({ field, name, record, onChange, references }: InputProps<RowsField>) {
  const rows = rowsAt(record, field.path);
  const list = useList(rows, (rows) => onChange(withValue(record, field.path, rows)));
  const one = t(field.one);
  return (
    <fieldset className={styles.rows}>
      <legend>{t(field.label)}</legend>
      {field.hint && <p className={styles.hint}>{t(field.hint)}</p>}
      {rows.map((row, n) => (
        <fieldset key={list.keyOf(n)} className={styles.row}>
          <legend className="visually-hidden">{`${one} ${n + 1}`}</legend>
          <div className={styles.rowFields}>
            {fieldsApplying(field.fields, row).map((inner, at) => (
              <FieldInput
                key={`${inner.path} ${inner.label}`}
                field={inner}
                name={`${name}.${n}.${inner.path}`}
                record={row}
                onChange={(row: Values) => list.replace(n, row)}
                references={references}
                autoFocus={at === 0 && list.isNew(n)}
              />
            ))}
          </div>
          <Button look="quiet" onPress={() => list.remove(n)}>
            {t("Remove {what}", { what: `${one} ${n + 1}` })}
          </Button>
        </fieldset>
      ))}
      <div ref={list.adder}>
        <Button onPress={() => list.add(field.blank)}>{t("Add {what}", { what: one })}</Button>
      </div>
    </fieldset>
  );
}

export function TextsInput({ field, name, record, onChange }: InputProps<TextsField>) {
  const texts = textsAt(record, field.path);
  const list = useList(texts, (texts) => onChange(withValue(record, field.path, texts)));
  const one = t(field.one);
  return (
    <fieldset className={styles.rows}>
      <legend>{t(field.label)}</legend>
      {field.hint && <p className={styles.hint}>{t(field.hint)}</p>}
      {texts.map((text, n) => (
        <div key={list.keyOf(n)} className={styles.textRow}>
          <TextField
            label={`${one} ${n + 1}`}
            name={`${name}.${n}`}
            value={text}
            onChange={(text) => list.replace(n, text)}
            autoFocus={list.isNew(n)}
          />
          <Button look="quiet" onPress={() => list.remove(n)}>
            {t("Remove {what}", { what: `${one} ${n + 1}` })}
          </Button>
        </div>
      ))}
      <div ref={list.adder}>
        <Button onPress={() => list.add("")}>{t("Add {what}", { what: one })}</Button>
      </div>
    </fieldset>
  );
}
