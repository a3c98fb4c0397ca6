import { Link } from "react-aria-components";
import { t } from "../../../lib/i18n";
import { Notice } from "../../../ui/Notice";
import styles from "../Archives.module.css";
import { pageOf } from "../addresses";
import type { Clash } from "./clashes";

interface Props {
  clashes: readonly Clash[];
  repository: number;
}

/** The boxes that stand in the way, each with a link, because somebody has to give them other barcodes. */
export function Clashes({ clashes, repository }: Props) {
  return (
    <Notice look="danger" role="alert">
      <strong>{t("Nothing was saved.")}</strong>
      <p>
        {t(
          "Other items or boxes have the barcodes of these boxes. Give each a barcode of its own first.",
        )}
      </p>
      <ul className={styles.links}>
        {clashes.map(({ container, barcode }) => (
          <li key={container}>
            <Link href={pageOf(container, repository)}>{barcode}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
