/** Fields for choosing: one of a few, one of many, yes or no. */
import type { ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  Button,
  type CheckboxProps,
  ComboBox,
  FieldError,
  Input,
  type Key,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  useFilter,
} from "react-aria-components";
import { t } from "../lib/i18n";
import styles from "./controls.module.css";
import { Description } from "./fields";

export interface Option {
  id: string;
  label: string;
}

interface ChoiceProps {
  label: string;
  name?: string;
  options: readonly Option[];
  /** The chosen id; without it the field keeps its own, starting with `defaultValue`. */
  value?: string | null | undefined;
  defaultValue?: string | undefined;
  onChange?: (id: string) => void;
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

/** One of a few options. A form gets the id under `name`. */
export function SelectField(props: ChoiceProps) {
  const { label, options, description, onChange, value, defaultValue, ...rest } = props;
  return (
    <Select
      {...rest}
      className={styles.field ?? ""}
      placeholder={t("Choose")}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      onChange={(id: Key | null) => id !== null && onChange?.(String(id))}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <Button className={`${styles.input} ${styles.select}`}>
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
      <Options options={options} />
    </Select>
  );
}

interface ComboProps extends ChoiceProps {
  /** For options that the server finds: called with what is typed. Without it the field filters `options`. */
  onSearch?: (text: string) => void;
  /** Whether `options` are still those of what was typed before: then the list keeps what fits what is typed now. */
  isSearching?: boolean;
  /** What the list says while it is empty. */
  empty?: string | undefined;
}

/** One of many options, found by typing. A form gets the id under `name`. */
export function ComboField(props: ComboProps) {
  const { label, options, description, onChange, value, defaultValue, ...others } = props;
  const { onSearch, isSearching = false, empty, ...rest } = others;
  const { contains } = useFilter({ sensitivity: "base" });
  const hasWords = (option: string, typed: string) =>
    typed.split(/\s+/).every((word) => contains(option, word));
  // A list that is filled after the last key was pressed must be open by then: it opens only at a key.
  const isFilledLater = onSearch && {
    onInputChange: onSearch,
    defaultFilter: isSearching ? hasWords : () => true,
    allowsEmptyCollection: true,
  };
  return (
    <ComboBox
      {...rest}
      className={styles.field ?? ""}
      menuTrigger="focus"
      {...isFilledLater}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      onChange={(id: Key | null) => onChange?.(id === null ? "" : String(id))}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <div className={styles.search}>
        <Input className={styles.input ?? ""} autoComplete="off" />
        <Button className={styles.opener ?? ""}>▾</Button>
      </div>
      <Description>{description}</Description>
      <FieldError className={styles.error ?? ""} />
      <Options options={options} empty={isSearching ? t("Searching…") : empty} />
    </ComboBox>
  );
}

interface OptionsProps {
  options: readonly Option[];
  empty?: string | undefined;
}

function Options({ options, empty = t("Nothing found.") }: OptionsProps) {
  return (
    <Popover className={styles.popover ?? ""}>
      <ListBox
        className={styles.list ?? ""}
        items={options}
        renderEmptyState={() => <div className={styles.option}>{empty}</div>}
      >
        {({ id, label }) => (
          <ListBoxItem id={id} textValue={label} className={styles.option ?? ""}>
            {label}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}

interface BoxProps extends Omit<CheckboxProps, "className" | "children"> {
  label: ReactNode;
}

export function Checkbox({ label, ...props }: BoxProps) {
  return (
    <AriaCheckbox {...props} className={styles.checkbox ?? ""}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <Box isOn={isSelected} isPartly={isIndeterminate} />
          {label}
        </>
      )}
    </AriaCheckbox>
  );
}

/** The square of a checkbox. */
export function Box({ isOn, isPartly = false }: { isOn: boolean; isPartly?: boolean }) {
  return (
    <span className={styles.box} aria-hidden="true">
      {isPartly ? "–" : isOn && "✓"}
    </span>
  );
}
