/** What another person saved while this form was open, and whose value stands where both changed one. */
import { t } from "../../lib/i18n";
import { isSame } from "../../lib/threeWay";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import styles from "../patrons/Patrons.module.css";
import type { Meanwhile } from "./useDraft";

interface Props<Draft> {
  meanwhile: Meanwhile<Draft>;
  draft: Draft;
  /** The names of the form's fields. */
  labels: Record<keyof Draft, string>;
  /** A value in words. */
  shown: (value: Draft[keyof Draft], field: keyof Draft) => string;
  onChange: (changes: Partial<Draft>) => void;
}

export function ChangedNotice<Draft extends object>(props: Props<Draft>) {
  const { meanwhile, draft, labels, shown, onChange } = props;
  const { theirs, taken, disputed } = meanwhile;
  return (
    <Notice look="warning" role="alert">
      <strong>{t("Somebody else has changed this record. Nothing was saved yet.")}</strong>
      {taken.length > 0 && (
        <p>
          {t("Their changes are in the form now: {fields}.", {
            fields: taken.map((name) => labels[name]).join(", "),
          })}
        </p>
      )}
      {disputed.length > 0 && (
        <ul className={styles.list} aria-label={t("Changed by both")}>
          {disputed.map((name) => (
            <li key={String(name)} className={styles.entry}>
              <div>
                {isSame(draft[name], theirs[name])
                  ? t("{field}: you take theirs.", { field: labels[name] })
                  : t("{field}: they saved “{theirs}”, yours is “{mine}”.", {
                      field: labels[name],
                      theirs: shown(theirs[name], name),
                      mine: shown(draft[name], name),
                    })}
              </div>
              <Button onPress={() => onChange({ [name]: theirs[name] } as Partial<Draft>)}>
                {t("Take theirs: {field}", { field: labels[name] })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p>{t("Look at the form, then save again.")}</p>
    </Notice>
  );
}
