import { t } from "../../../lib/i18n";
import styles from "../settings.module.css";
import type { Completion } from "./completion";

interface Props {
  id: string;
  completion: Completion;
  chosen: number;
  take: (n: number) => void;
}

/** The names that fit what is being written; the focus stays in the text. */
export function Suggestions({ id, completion, chosen, take }: Props) {
  return (
    <div id={id} role="listbox" aria-label={t("Names that fit")} className={styles.suggestions}>
      {completion.choices.map(({ id: thing, word, name }, n) => (
        <div
          key={thing}
          id={`${id}-${n}`}
          role="option"
          tabIndex={-1}
          aria-selected={n === chosen}
          className={styles.suggestion}
          onMouseDown={(event) => {
            event.preventDefault();
            take(n);
          }}
        >
          {word === name ? word : `${word} – ${name}`}
        </div>
      ))}
    </div>
  );
}
