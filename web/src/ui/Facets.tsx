import { CheckboxGroup, Label } from "react-aria-components";
import { t } from "../lib/i18n";
import { Checkbox } from "./choices";
import controls from "./controls.module.css";
import styles from "./Facets.module.css";

export interface Facet {
  id: string;
  title: string;
  values: readonly { id: string; label: string; count?: number }[];
}

interface Props {
  facets: readonly Facet[];
  /** The chosen values by facet. */
  chosen: Readonly<Record<string, readonly string[]>>;
  onChange: (facet: string, values: string[]) => void;
}

/** Narrows a search: groups of checkboxes with the number of records behind each. */
export function Facets({ facets, chosen, onChange }: Props) {
  return (
    <section className={styles.facets} aria-label={t("Filters")}>
      {facets.map(({ id, title, values }) => (
        <CheckboxGroup
          key={id}
          className={styles.facet ?? ""}
          value={[...(chosen[id] ?? [])]}
          onChange={(values) => onChange(id, values)}
        >
          <Label className={controls.label ?? ""}>{title}</Label>
          {values.map((value) => (
            <Checkbox
              key={value.id}
              value={value.id}
              label={<Value label={value.label} count={value.count} />}
            />
          ))}
        </CheckboxGroup>
      ))}
    </section>
  );
}

function Value({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      <span className={styles.name}>{label}</span>
      {count !== undefined && <span className={controls.optionCount}>{count}</span>}
    </>
  );
}
