import { useState } from "react";
import { SearchField as AriaSearchField, Button, Input, Label } from "react-aria-components";
import { t } from "../lib/i18n";
import styles from "./controls.module.css";

interface Props {
  label: string;
  /** What the page searches for now. */
  value: string;
  /** Called on Enter and when the field is cleared, not at each letter. */
  onSearch: (text: string) => void;
  placeholder?: string;
  autoFocus?: boolean;
}

export function SearchField({ label, value, onSearch, placeholder, autoFocus = false }: Props) {
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  if (searched !== value) {
    // Another search came from elsewhere, such as the browser's back button.
    setSearched(value);
    setText(value);
  }
  return (
    <AriaSearchField
      className={styles.field ?? ""}
      value={text}
      onChange={setText}
      onSubmit={(text) => onSearch(text.trim())}
      onClear={() => onSearch("")}
      autoFocus={autoFocus}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <div className={styles.search}>
        <Input
          className={styles.input ?? ""}
          autoComplete="off"
          {...(placeholder && { placeholder })}
        />
        <Button className={styles.clear ?? ""} aria-label={t("Clear")}>
          ✕
        </Button>
      </div>
    </AriaSearchField>
  );
}
