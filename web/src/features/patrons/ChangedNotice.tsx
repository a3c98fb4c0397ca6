/** What another person saved while this form was open, and whose value stands where both changed one. */
import { t } from "../../lib/i18n";
import { isSame } from "../../lib/threeWay";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import type { Meanwhile } from "./PatronForm";
import styles from "./Patrons.module.css";
import type { PatronDraft } from "./patronDraft";
import { labels } from "./patronLabels";

interface Props {
  meanwhile: Meanwhile;
  draft: PatronDraft;
  onChange: (changes: Partial<PatronDraft>) => void;
}

export function ChangedNotice({ meanwhile, draft, onChange }: Props) {
  const { theirs, taken, disputed } = meanwhile;
  const names = labels();
  return (
    <Notice look="warning" role="alert">
      <strong>{t("Somebody else has changed this record. Nothing was saved yet.")}</strong>
      {taken.length > 0 && (
        <p>
          {t("Their changes are in the form now: {fields}.", {
            fields: taken.map((name) => names[name]).join(", "),
          })}
        </p>
      )}
      {disputed.length > 0 && (
        <ul className={styles.list} aria-label={t("Changed by both")}>
          {disputed.map((name) => (
            <li key={name} className={styles.entry}>
              <div>
                {isSame(draft[name], theirs[name])
                  ? t("{field}: you take theirs.", { field: names[name] })
                  : t("{field}: they saved “{theirs}”, yours is “{mine}”.", {
                      field: names[name],
                      theirs: shown(theirs[name]),
                      mine: shown(draft[name]),
                    })}
              </div>
              <Button onPress={() => onChange({ [name]: theirs[name] })}>
                {t("Take theirs: {field}", { field: names[name] })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p>{t("Look at the form, then save again.")}</p>
    </Notice>
  );
}

function shown(value: PatronDraft[keyof PatronDraft]): string {
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (typeof value === "string") return value;
  return value.map(({ addressLine1, city }) => [addressLine1, city].join(" ").trim()).join("; ");
}
