/** A record in sections of facts. */
import { t } from "../../lib/i18n";
import { type Fact, Facts, Section } from "../../ui/Detail";
import { applying, type Section as Declared, type Field } from "./kind";
import { LazyPreview } from "./LazyPreview";
import styles from "./records.module.css";
import { inText, rowInWords, type Surroundings } from "./show";
import { isEmpty, rowsAt, textAt, textsAt, type Values, valueAt } from "./values";
import { exceptionsInWords, weekInWords } from "./week";

interface Props {
  sections: readonly Declared[];
  record: Values;
  around: Surroundings;
}

/** Sections without values are left out, so that a long declaration makes a short page. */
export function RecordDetail({ sections, record, around }: Props) {
  return applying(sections, record)
    .filter(({ fields }) => fields.some((field) => hasValue(field, record)))
    .map(({ title, fields }) => (
      <Section key={title} title={t(title)}>
        <Facts facts={factsOf(fields, record, around)} />
      </Section>
    ));
}

export function factsOf(fields: readonly Field[], record: Values, around: Surroundings): Fact[] {
  return fields
    .filter((field) => hasValue(field, record))
    .map((field) => [t(field.label), <Value key="value" {...{ field, record, around }} />]);
}

function Value({ field, record, around }: { field: Field; record: Values; around: Surroundings }) {
  if (field.as === "template") {
    return <LazyPreview text={textAt(record, field.path)} tokens={field.tokens} />;
  }
  const lines = linesOf(field, record, around);
  if (!lines) return <span className={styles.words}>{inText(field, record, around)}</span>;
  return (
    <ul className={styles.lines}>
      {lines.map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and may be equal
        <li key={n}>{line}</li>
      ))}
    </ul>
  );
}

function linesOf(field: Field, record: Values, around: Surroundings): string[] | undefined {
  if (field.as === "week") return weekInWords(rowsAt(record, field.path));
  if (field.as === "exceptions") {
    return exceptionsInWords(rowsAt(record, field.path), around.clock);
  }
  if (field.as === "texts") return textsAt(record, field.path);
  if (field.as !== "rows") return undefined;
  return rowsAt(record, field.path).map((row) => rowInWords(field.fields, row, around));
}

function hasValue(field: Field, record: Values): boolean {
  return !isEmpty(valueAt(record, field.path));
}
