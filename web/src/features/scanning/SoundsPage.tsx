/** All outcomes of scans to hear and see, and how loud they are. */
import { t } from "../../lib/i18n";
import { chooseLoudness, type Loudness, play, useLoudness } from "../../lib/sound";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { Page } from "../../ui/Page";
import { OUTCOMES, type Outcome } from "./outcomes";
import styles from "./SoundsPage.module.css";
import marks from "./scanning.module.css";

export default function SoundsPage() {
  const loudness = useLoudness();
  return (
    <Page title={t("Sounds")}>
      <p>{t("What a scan sounds like at the desk. The choice is kept in this browser.")}</p>
      <div className={styles.loudness}>
        <SelectField
          label={t("Loudness")}
          options={[
            { id: "off", label: t("Off") },
            { id: "quiet", label: t("Quiet") },
            { id: "normal", label: t("Normal") },
            { id: "loud", label: t("Loud") },
          ]}
          value={loudness}
          onChange={(chosen) => chooseLoudness(chosen as Loudness)}
        />
      </div>
      <ul className={styles.outcomes} aria-label={t("Outcomes of scans")}>
        {Object.entries(OUTCOMES).map(([name, outcome]) => (
          <OutcomeRow key={name} outcome={outcome} isSilent={loudness === "off"} />
        ))}
      </ul>
    </Page>
  );
}

function OutcomeRow({ outcome, isSilent }: { outcome: Outcome; isSilent: boolean }) {
  const { meaning, said, mark, tone, sound } = outcome;
  return (
    <li className={styles.outcome}>
      <span className={`${marks.mark} ${marks[tone]}`} aria-hidden="true">
        {mark}
      </span>
      <div>
        <div className={marks[tone]}>{t(meaning)}</div>
        {said && (
          <div className={styles.said}>{t("Screen readers say: {words}", { words: t(said) })}</div>
        )}
      </div>
      <Button
        onPress={() => play(sound)}
        aria-label={t("Hear: {meaning}", { meaning: t(meaning) })}
        disabledReason={isSilent ? t("The sounds are off.") : undefined}
      >
        {t("Hear it")}
      </Button>
    </li>
  );
}
