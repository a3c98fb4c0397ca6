import { type ReactNode, useRef } from "react";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import controls from "../../../ui/controls.module.css";
import styles from "./Record.module.css";

interface Props<Part> {
  /** `Date`; the parts are named `Date 1`, `Date 2`. */
  name: string;
  parts: readonly Part[];
  onChange: (parts: Part[]) => void;
  children: (part: Part, set: (changes: Partial<Part>) => void) => ReactNode;
  /** The means to add one. */
  adding: ReactNode;
}

/** Parts of a record that may be there several times, such as dates. */
export function Parts<Part extends object>({
  name,
  parts,
  onChange,
  children,
  adding,
}: Props<Part>) {
  const end = useRef<HTMLDivElement>(null);
  const set = (at: number, changes: Partial<Part>) =>
    onChange(parts.map((part, place) => (place === at ? { ...part, ...changes } : part)));
  const remove = (at: number) => {
    onChange(parts.filter((_, place) => place !== at));
    end.current?.querySelector<HTMLElement>("button, input")?.focus();
  };
  return (
    <>
      {parts.map((part, at) => {
        const numbered = `${name} ${at + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names of their own
          <fieldset key={at} className={styles.part}>
            <legend className={controls.label}>{numbered}</legend>
            {children(part, (changes) => set(at, changes))}
            <div>
              <Button look="quiet" onPress={() => remove(at)}>
                {t("Remove {part}", { part: numbered })}
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div ref={end}>{adding}</div>
    </>
  );
}
