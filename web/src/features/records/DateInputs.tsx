/** Dates, typed part by part. */
import { t } from "../../lib/i18n";
import { DateField } from "../../ui/DateField";
import { useLibraryClock } from "../tenant/useClock";
import { dateOf, dayOf, instantOf } from "./day";
import type { InputProps } from "./FieldInput";
import type { Field } from "./kind";
import { textAt, withValue } from "./values";

export function DateInput(props: InputProps<Extract<Field, { as: "date" }>>) {
  const { field, record, onChange } = props;
  return (
    <DateField
      {...common(props)}
      value={dateOf(textAt(record, field.path))}
      onChange={(day) => onChange(withValue(record, field.path, day?.toString()))}
    />
  );
}

export function DayInput(props: InputProps<Extract<Field, { as: "day" }>>) {
  const { field, record, onChange } = props;
  const { timeZone } = useLibraryClock();
  return (
    <DateField
      {...common(props)}
      value={dayOf(textAt(record, field.path), timeZone)}
      onChange={(day) =>
        onChange(withValue(record, field.path, day && instantOf(day, field.at, timeZone)))
      }
    />
  );
}

function common({ field, name, autoFocus }: InputProps) {
  return {
    label: t(field.label),
    name,
    isRequired: field.required ?? false,
    autoFocus: autoFocus ?? false,
    ...(field.hint && { description: t(field.hint) }),
  };
}
