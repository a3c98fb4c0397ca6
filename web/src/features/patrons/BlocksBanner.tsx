/** Says at once that a patron is blocked, and from what. */
import type { RefObject } from "react";
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import { Notice } from "../../ui/Notice";
import { WhyButton } from "../why/WhyButton";
import styles from "./PatronPanel.module.css";
import { STOPS } from "./patron";
import { useBlocksInForce } from "./queries";

interface Props {
  userId: string;
  /** Where the focus is to be after an explanation: at the desk in the scan field, where the next scan goes. */
  focusAfterwards?: RefObject<HTMLElement | null>;
}

export function BlocksBanner({ userId, focusAfterwards }: Props) {
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
        {blocks.map(({ text, stops, conditionId }) => (
          <li key={conditionId ?? text}>
            {text} ({stops.map((stop) => t(STOPS[stop])).join(", ")})
            {conditionId && (
              <WhyButton
                question={{ about: "block", userId, conditionId }}
                subject={text}
                {...(focusAfterwards && { focusAfterwards })}
              />
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
