/** The weekly opening hours of a calendar, day by day. */
import { useRef } from "react";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { TextField } from "../../ui/fields";
import type { InputProps } from "./FieldInput";
import type { Choice, Field } from "./kind";
import { rowsAt, textAt, type Values, withValue } from "./values";
import { copied, dayBefore, type Opening, openingOn, openingsOn, WEEKDAYS } from "./week";
import styles from "./week.module.css";

export function WeekInput(props: InputProps<Extract<Field, { as: "week" }>>) {
  const { field, name, record, onChange } = props;
  const openings = rowsAt(record, field.path);
  const change = (openings: readonly Values[]) => onChange(withValue(record, field.path, openings));
  return (
    <div className={styles.week}>
      {WEEKDAYS.map((day) => (
        <Day key={day.id} day={day} name={name} openings={openings} onChange={change} />
      ))}
    </div>
  );
}

interface DayProps {
  day: Choice;
  name: string;
  openings: readonly Values[];
  onChange: (openings: readonly Values[]) => void;
}

function Day({ day, name, openings, onChange }: DayProps) {
  const frame = useRef<HTMLFieldSetElement>(null);
  const own = openingsOn(openings, day.id);
  const before = dayBefore(day.id);
  const canCopy = before && own.length === 0 && openingsOn(openings, before.id).length > 0;
  const remove = (index: number) => {
    onChange(openings.filter((_, at) => at !== index));
    // The button that was pressed is gone; the last one of the day adds again.
    frame.current?.querySelector<HTMLElement>("[data-adds]")?.focus();
  };
  return (
    <fieldset ref={frame} className={styles.day}>
      <legend>{t(day.name)}</legend>
      {own.length === 0 && <p className={styles.closed}>{t("closed")}</p>}
      {own.map((opening, at) => (
        <Hours
          key={opening.index}
          opening={opening}
          label={own.length > 1 ? `${t(day.name)} ${at + 1}` : t(day.name)}
          name={`${name}.${opening.index}`}
          onChange={(row) =>
            onChange(openings.map((old, index) => (index === opening.index ? row : old)))
          }
          onRemove={() => remove(opening.index)}
        />
      ))}
      <div className={styles.tools}>
        <Button
          look="quiet"
          data-adds
          onPress={() => onChange([...openings, openingOn(day.id)])}
          aria-label={t("Add an opening on {day}", { day: t(day.name) })}
        >
          {t("Add an opening")}
        </Button>
        {canCopy && (
          <Button
            look="quiet"
            onPress={() => onChange(copied(openings, before.id, day.id))}
            aria-label={t("{day} as on {before}", { day: t(day.name), before: t(before.name) })}
          >
            {t("As on {before}", { before: t(before.name) })}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface HoursProps {
  opening: Opening;
  label: string;
  name: string;
  onChange: (row: Values) => void;
  onRemove: () => void;
}

function Hours({ opening: { row }, label, name, onChange, onRemove }: HoursProps) {
  const day = textAt(row, "startDay");
  const time = (path: string) => ({
    type: "time" as const,
    name: `${name}.${path}`,
    isRequired: true,
    value: textAt(row, path).slice(0, 5),
    onChange: (time: string) => onChange(withValue(row, path, time ? `${time}:00` : undefined)),
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the day's would need a visible legend
    <div className={styles.hours} role="group" aria-label={label}>
      <TextField label={t("From")} {...time("startTime")} />
      <TextField label={t("To")} {...time("endTime")} />
      <SelectField
        label={t("Closes on")}
        name={`${name}.endDay`}
        value={textAt(row, "endDay")}
        options={WEEKDAYS.map(({ id, name }) => ({
          id,
          label: id === day ? t("the same day") : t(name),
        }))}
        onChange={(endDay) => onChange({ ...row, endDay })}
      />
      <Button look="quiet" onPress={onRemove} aria-label={t("Remove {what}", { what: label })}>
        {t("Remove")}
      </Button>
    </div>
  );
}
