/** Says at once that a patron is blocked, and from what. */
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import { Notice } from "../../ui/Notice";
import styles from "./PatronPanel.module.css";
import { STOPS } from "./patron";
import { useBlocksInForce } from "./queries";

export function BlocksBanner({ userId }: { userId: string }) {
  const { data: blocks = [], error } = useBlocksInForce(userId);
  if (error) {
    return (
      <Notice look="warning">
        {t("Blocks could not be read.")} {inWords(error)}
      </Notice>
    );
  }
  if (blocks.length === 0) return null;
  return (
    <Notice look="danger" role="alert">
      <strong>{t("Blocked")}</strong>
      <ul className={styles.blocks}>
        {blocks.map(({ text, stops }) => (
          <li key={text}>
            {text} ({stops.map((stop) => t(STOPS[stop])).join(", ")})
          </li>
        ))}
      </ul>
    </Notice>
  );
}
