/** A number with a unit: a period, or an amount for each period. */
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { NumberField } from "../../ui/NumberField";
import type { InputProps } from "./FieldInput";
import type { Field } from "./kind";
import styles from "./records.module.css";
import { isValues, valueAt, withValue } from "./values";

type PeriodField = Extract<Field, { as: "period" | "rate" }>;

export function PeriodInput({ field, name, record, onChange, autoFocus }: InputProps<PeriodField>) {
  const isRate = field.as === "rate";
  const stored = valueAt(record, field.path);
  const period = isValues(stored) ? stored : {};
  const number = isRate ? "quantity" : "duration";
  const value = period[number];
  const change = (changes: object) =>
    onChange(withValue(record, field.path, { ...period, ...changes }));
  return (
    <fieldset className={styles.period}>
      <legend>{t(field.label)}</legend>
      <NumberField
        label={isRate ? t("Amount") : t("Number")}
        name={name}
        isRequired={field.required ?? false}
        autoFocus={autoFocus ?? false}
        value={typeof value === "number" ? value : Number.NaN}
        minValue={0}
        formatOptions={{ useGrouping: false, maximumFractionDigits: isRate ? 2 : 0 }}
        onChange={(value) => change({ [number]: Number.isNaN(value) ? undefined : value })}
      />
      <SelectField
        label={isRate ? t("For each") : t("Unit")}
        isRequired={typeof value === "number"}
        options={field.units.map(({ id, name }) => ({ id, label: t(name) }))}
        value={typeof period.intervalId === "string" ? period.intervalId : null}
        onChange={(intervalId) => change({ intervalId })}
      />
      {field.hint && <p className={styles.hint}>{t(field.hint)}</p>}
    </fieldset>
  );
}
