/** The input for one field of a record, whatever its kind. */
import { t } from "../../lib/i18n";
import { Checkbox } from "../../ui/choices";
import { TextArea, TextField } from "../../ui/fields";
import { NumberField } from "../../ui/NumberField";
import { ChoiceInput, ChoicesInput } from "./ChoiceInput";
import { DateInput, DayInput } from "./DateInputs";
import { ExceptionsInput } from "./ExceptionsInput";
import type { Field } from "./kind";
import { PeriodInput } from "./PeriodInput";
import { RowsInput, TextsInput } from "./RowsInput";
import type { References } from "./references";
import { TemplateInput } from "./TemplateInput";
import { textAt, type Values, valueAt, withValue } from "./values";
import { WeekInput } from "./WeekInput";

export interface InputProps<F extends Field = Field> {
  field: F;
  /** The place in the form: the path, within a row after the row's own place. */
  name: string;
  record: Values;
  onChange: (record: Values) => void;
  references: References;
  autoFocus?: boolean;
}

export function FieldInput(props: InputProps) {
  const { field, record, name, onChange } = props;
  const change = (value: unknown) => onChange(withValue(record, field.path, value));
  const common = {
    label: t(field.label),
    name,
    isRequired: field.required ?? false,
    autoFocus: props.autoFocus ?? false,
    ...(field.hint && { description: t(field.hint) }),
  };
  switch (field.as) {
    case "text": {
      const text = { value: textAt(record, field.path), onChange: change };
      if (field.lines) return <TextArea {...common} {...text} rows={field.lines} />;
      return <TextField {...common} {...text} />;
    }
    case "number":
      return (
        <NumberField
          {...common}
          value={numberAt(record, field.path)}
          onChange={(value) => change(Number.isNaN(value) ? undefined : value)}
          formatOptions={{ useGrouping: false, maximumFractionDigits: field.decimals ?? 0 }}
          {...(field.least !== undefined && { minValue: field.least })}
          {...(field.most !== undefined && { maxValue: field.most })}
        />
      );
    case "switch":
      return (
        <Checkbox
          label={common.label}
          name={name}
          isSelected={valueAt(record, field.path) === true}
          onChange={change}
        />
      );
    case "time":
      return (
        <TextField
          {...common}
          type="time"
          value={textAt(record, field.path).slice(0, 5)}
          onChange={(time) => change(time ? `${time}:00` : undefined)}
        />
      );
    case "choice":
      return <ChoiceInput {...props} field={field} />;
    case "choices":
      return <ChoicesInput {...props} field={field} />;
    case "period":
    case "rate":
      return <PeriodInput {...props} field={field} />;
    case "date":
      return <DateInput {...props} field={field} />;
    case "day":
      return <DayInput {...props} field={field} />;
    case "texts":
      return <TextsInput {...props} field={field} />;
    case "rows":
      return <RowsInput {...props} field={field} />;
    case "week":
      return <WeekInput {...props} field={field} />;
    case "exceptions":
      return <ExceptionsInput {...props} field={field} />;
    case "template":
      return <TemplateInput {...props} field={field} />;
  }
}

function numberAt(record: Values, path: string): number {
  const value = valueAt(record, path);
  return typeof value === "number" ? value : Number.NaN;
}
