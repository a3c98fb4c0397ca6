/** The days on which a calendar's weekly hours do not apply: closed, or open at other hours. */
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DateField } from "../../ui/DateField";
import { TextField } from "../../ui/fields";
import { dateOf } from "./day";
import type { InputProps } from "./FieldInput";
import type { Field } from "./kind";
import styles from "./records.module.css";
import { useList } from "./useList";
import { rowsAt, textAt, type Values, withValue } from "./values";
import { isOneDay, withChanges } from "./week";
import week from "./week.module.css";

export function ExceptionsInput(props: InputProps<Extract<Field, { as: "exceptions" }>>) {
  const { field, name, record, onChange } = props;
  const list = useList(rowsAt(record, field.path), (rows) =>
    onChange(withValue(record, field.path, rows)),
  );
  return (
    <div className={styles.rows}>
      {list.items.map((exception, n) => (
        <Exception
          key={list.keyOf(n)}
          exception={exception}
          label={textAt(exception, "name") || `${t("exception")} ${n + 1}`}
          name={`${name}.${n}`}
          isNew={list.isNew(n)}
          onChange={(changed) => list.replace(n, changed)}
          onRemove={() => list.remove(n)}
        />
      ))}
      <div ref={list.adder}>
        <Button onPress={() => list.add({ openings: [] })}>{t("Add an exception")}</Button>
      </div>
    </div>
  );
}

interface ExceptionProps {
  exception: Values;
  label: string;
  name: string;
  isNew: boolean;
  onChange: (exception: Values) => void;
  onRemove: () => void;
}

function Exception({ exception, label, name, isNew, onChange, onRemove }: ExceptionProps) {
  const openings = rowsAt(exception, "openings");
  const isClosed = openings.length === 0;
  const change = (changes: Values) => onChange(withChanges(exception, changes));
  const firstOpening = {
    startDate: exception.startDate,
    endDate: isOneDay(exception) ? exception.endDate : exception.startDate,
  };
  return (
    <fieldset className={styles.row}>
      <legend className="visually-hidden">{label}</legend>
      <div className={styles.rowFields}>
        <TextField
          label={t("Name")}
          name={`${name}.name`}
          isRequired
          autoFocus={isNew}
          value={textAt(exception, "name")}
          onChange={(name) => change({ name })}
        />
        <Day
          label={t("First day")}
          row={exception}
          path="startDate"
          name={name}
          onChange={change}
        />
        <Day label={t("Last day")} row={exception} path="endDate" name={name} onChange={change} />
        <SelectField
          label={t("On these days")}
          name={`${name}.hours`}
          value={isClosed ? "closed" : "open"}
          options={[
            { id: "closed", label: t("closed") },
            { id: "open", label: t("open at other hours") },
          ]}
          onChange={(chosen) => {
            if ((chosen === "closed") === isClosed) return;
            change({ openings: chosen === "closed" ? [] : [firstOpening] });
          }}
        />
      </div>
      {openings.map((opening, n) => (
        <Hours
          // biome-ignore lint/suspicious/noArrayIndexKey: openings have no id, and their fields no state of their own
          key={n}
          opening={opening}
          label={`${label}, ${t("opening")} ${n + 1}`}
          name={`${name}.openings.${n}`}
          hasDates={!isOneDay(exception)}
          onChange={(row) =>
            change({ openings: openings.map((old, at) => (at === n ? row : old)) })
          }
          onRemove={() => change({ openings: openings.filter((_, at) => at !== n) })}
        />
      ))}
      <div className={week.tools}>
        {!isClosed && (
          <Button look="quiet" onPress={() => change({ openings: [...openings, firstOpening] })}>
            {t("Add an opening")}
          </Button>
        )}
        <Button look="quiet" onPress={onRemove}>
          {t("Remove {what}", { what: label })}
        </Button>
      </div>
    </fieldset>
  );
}

interface HoursProps {
  opening: Values;
  label: string;
  name: string;
  hasDates: boolean;
  onChange: (opening: Values) => void;
  onRemove: () => void;
}

function Hours({ opening, label, name, hasDates, onChange, onRemove }: HoursProps) {
  const change = (changes: Values) => onChange({ ...opening, ...changes });
  const time = (path: string) => ({
    type: "time" as const,
    name: `${name}.${path}`,
    isRequired: true,
    value: textAt(opening, path).slice(0, 5),
    onChange: (time: string) => onChange(withValue(opening, path, time ? `${time}:00` : undefined)),
  });
  const day = { row: opening, name, onChange: change };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the exception's would need a visible legend
    <div className={week.hours} role="group" aria-label={label}>
      {hasDates && <Day {...day} label={t("Opens on")} path="startDate" />}
      <TextField label={t("From")} {...time("startTime")} />
      {hasDates && <Day {...day} label={t("Closes on")} path="endDate" />}
      <TextField label={t("To")} {...time("endTime")} />
      <Button look="quiet" onPress={onRemove} aria-label={t("Remove {what}", { what: label })}>
        {t("Remove")}
      </Button>
    </div>
  );
}

interface DayProps {
  label: string;
  row: Values;
  path: string;
  name: string;
  onChange: (changes: Values) => void;
}

function Day({ label, row, path, name, onChange }: DayProps) {
  return (
    <DateField
      label={label}
      name={`${name}.${path}`}
      isRequired
      value={dateOf(textAt(row, path))}
      onChange={(day) => onChange({ [path]: day?.toString() })}
    />
  );
}
