/** The text of a template: HTML with tokens, a menu of the tokens, and how it will look. */
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { t } from "../../lib/i18n";
import { ComboField } from "../../ui/choices";
import { TextArea } from "../../ui/fields";
import type { InputProps } from "./FieldInput";
import type { Field } from "./kind";
import { LazyPreview } from "./LazyPreview";
import styles from "./records.module.css";
import { tokenNames, unknownTokens } from "./templateTokens";
import { textAt, withValue } from "./values";

export function TemplateInput(props: InputProps<Extract<Field, { as: "template" }>>) {
  const { field, name, record, onChange } = props;
  const frame = useRef<HTMLDivElement>(null);
  const text = textAt(record, field.path);
  const change = (text: string) => onChange(withValue(record, field.path, text));
  const [inserted, setInserted] = useState(0);
  const insert = (name: string) => {
    const area = frame.current?.querySelector("textarea");
    const start = area?.selectionStart ?? text.length;
    const end = area?.selectionEnd ?? text.length;
    const token = `{{${name}}}`;
    flushSync(() => {
      change(`${text.slice(0, start)}${token}${text.slice(end)}`);
      setInserted(inserted + 1);
    });
    // Writing goes on after the token.
    area?.focus();
    area?.setSelectionRange(start + token.length, start + token.length);
  };
  const unknown = unknownTokens(text, field.tokens);
  return (
    <div ref={frame} className={styles.template}>
      <TextArea
        label={t(field.label)}
        name={name}
        rows={12}
        isRequired={field.required ?? false}
        value={text}
        onChange={change}
        description={
          unknown.length > 0
            ? t("Nothing stands for {tokens}: they print as nothing.", {
                tokens: unknown.map((name) => `{{${name}}}`).join(", "),
              })
            : t("HTML; tokens such as item.title stand in double braces.")
        }
      />
      <ComboField
        // A new one for the next token: nothing stays chosen, so the list of the last one would stay open.
        key={inserted}
        label={t("Insert a token")}
        options={tokenNames(field.tokens).map((name) => ({ id: name, label: name }))}
        value={null}
        onChange={(token) => token && insert(token)}
      />
      <LazyPreview text={text} tokens={field.tokens} />
    </div>
  );
}
