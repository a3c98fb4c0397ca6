import type { SlipContext } from "../../api/types";
import { t } from "../../lib/i18n";
import { LongList } from "../../ui/LongList";
import { personName } from "../patrons/patron";
import styles from "./SlipsPage.module.css";

interface Props {
  label: string;
  slips: readonly SlipContext[];
}

/** One row per slip, in the order of the shelves. */
export function SlipList({ label, slips }: Props) {
  return (
    <LongList
      label={label}
      rows={slips}
      keyOf={({ request }, place) => request?.requestID ?? place}
      className={styles.rows}
      rowProps={() => ({ className: styles.row })}
    >
      {(slip) => (
        <>
          <div>
            <div className={styles.place}>
              {slip.item?.effectiveLocationSpecific ?? t("Any place")}
            </div>
            <div className={styles.callNumber}>{slip.item?.callNumber}</div>
          </div>
          <div>
            <div className={styles.title}>{slip.item?.title ?? t("Untitled")}</div>
            <div className={styles.barcode}>{slip.item?.barcode ?? t("Any copy")}</div>
          </div>
          <div className={styles.destination}>{destination(slip)}</div>
        </>
      )}
    </LongList>
  );
}

function destination({ request, requester }: SlipContext): string {
  const place = request?.servicePointPickup ?? request?.deliveryAddressType;
  const patron = personName(requester ?? {});
  const forWhom = patron ? t("For {patron}", { patron }) : t("For a patron");
  return [forWhom, place].filter(Boolean).join(", ");
}
