import { useLanguage } from "../../../lib/i18n";
import { ComboField, SelectField } from "../../../ui/choices";
import { inWords, languageInWords } from "../values";

interface Props {
  label: string;
  /** The values of the list; none until they were read. */
  list: readonly string[] | undefined;
  name?: string;
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: (value: string) => void;
  isRequired?: boolean;
  /** Whether the values are codes of languages or scripts. */
  isLanguages?: boolean;
}

/** Long lists are searched by typing. */
const LONG = 25;

/** One value of a list; a value that left the list stays until another is chosen. */
export function ValueField({ list, value, onChange, isLanguages, ...props }: Props) {
  const kept = value ?? props.defaultValue;
  const values = new Set([...(list ?? []), ...(kept ? [kept] : [])]);
  const language = useLanguage();
  const options = [...values].map((id) => ({
    id,
    label: isLanguages ? languageInWords(id, language) : inWords(id),
  }));
  const Field = options.length > LONG ? ComboField : SelectField;
  return (
    <Field
      // Another kind of field when the list has come.
      key={list ? "list" : "waiting"}
      {...props}
      options={options}
      {...(onChange && { value: value ?? null, onChange })}
    />
  );
}
