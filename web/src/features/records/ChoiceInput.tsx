/** Choosing one or several records or values. */
import { CheckboxGroup, FieldError, Label } from "react-aria-components";
import { t } from "../../lib/i18n";
import { Checkbox, ComboField, type Option, SelectField } from "../../ui/choices";
import controls from "../../ui/controls.module.css";
import { Description } from "../../ui/fields";
import type { InputProps } from "./FieldInput";
import type { Choices, Field } from "./kind";
import styles from "./records.module.css";
import type { References } from "./references";
import { isEmpty, textAt, textsAt, type Values, valueAt, withValue } from "./values";

/** From so many choices on, one types to find one. */
const MANY = 12;

/** The choice of nothing; an id of a record is never that. */
const NONE = "-";

type ChoiceField = Extract<Field, { as: "choice" }>;
type ChoicesField = Extract<Field, { as: "choices" }>;

export function ChoiceInput(props: InputProps<ChoiceField>) {
  const { field, name, record, onChange, references } = props;
  const options = optionsOf(field.from, references).filter(({ id }) =>
    fits(field, id, record, references),
  );
  const stored = textAt(record, field.path);
  // What no longer fits is not shown as chosen, so a field that needs a value asks for another.
  const chosen = !field.within || options.some(({ id }) => id === stored) ? stored : "";
  const isWaiting = field.within !== undefined && isEmpty(valueAt(record, field.within.path));
  const common = {
    label: t(field.label),
    name,
    isRequired: field.required ?? false,
    autoFocus: props.autoFocus ?? false,
    onChange: (id: string) =>
      onChange(withValue(record, field.path, id === NONE || id === "" ? undefined : id)),
    isDisabled: isWaiting,
    ...(field.hint && { description: t(field.hint) }),
    ...(isWaiting &&
      field.within && {
        description: t("First choose: {field}.", { field: t(field.within.label) }),
      }),
  };
  if (options.length > MANY) {
    return <ComboField {...common} options={options} value={chosen || null} />;
  }
  if (field.required) return <SelectField {...common} options={options} value={chosen || null} />;
  return (
    <SelectField
      {...common}
      options={[{ id: NONE, label: t("None") }, ...options]}
      value={chosen || NONE}
    />
  );
}

export function ChoicesInput({
  field,
  name,
  record,
  onChange,
  references,
}: InputProps<ChoicesField>) {
  return (
    <CheckboxGroup
      className={controls.field ?? ""}
      name={name}
      value={textsAt(record, field.path)}
      onChange={(ids) => onChange(withValue(record, field.path, ids))}
      isRequired={field.required ?? false}
    >
      <Label className={controls.label ?? ""}>{t(field.label)}</Label>
      <Description>{field.hint && t(field.hint)}</Description>
      <div className={styles.choices}>
        {optionsOf(field.from, references).map(({ id, label }) => (
          <Checkbox key={id} value={id} label={label} />
        ))}
      </div>
      <FieldError className={controls.error ?? ""} />
    </CheckboxGroup>
  );
}

/** Whether a record is to be chosen from, as long as another field has its value. */
export function fits(
  { from, within }: Pick<ChoiceField, "from" | "within">,
  id: string,
  record: Values,
  references: Pick<References, "record">,
): boolean {
  if (!within || typeof from !== "string") return true;
  const wanted = valueAt(record, within.path);
  if (Array.isArray(wanted)) return wanted.includes(id);
  return references.record(from, id)?.[within.path] === wanted;
}

/** The names of choices that are written in a declaration are messages. */
function optionsOf(from: Choices, references: References): Option[] {
  const isWritten = typeof from !== "string";
  return references
    .choices(from)
    .map(({ id, name }) => ({ id, label: isWritten ? t(name) : name }));
}
