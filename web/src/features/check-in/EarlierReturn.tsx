import { now, parseAbsolute, type ZonedDateTime } from "@internationalized/date";
import type { KeyboardEvent } from "react";
import { formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { DateField } from "../../ui/DateField";
import { Notice } from "../../ui/Notice";
import type { BackdateProps } from "./Backdate";
import styles from "./Backdate.module.css";

type Props = BackdateProps & { returnedAt: string };

/** The return date of the items scanned from now on. */
export default function EarlierReturn({ clock, returnedAt, onChange, onDone }: Props) {
  const change = (value: ZonedDateTime | null) => {
    if (value) onChange(value.toAbsoluteString());
  };
  const leave = ({ key }: KeyboardEvent) => {
    if (key === "Enter" || key === "Escape") onDone();
  };
  const returnNow = () => {
    onChange(undefined);
    onDone();
  };
  return (
    <Notice look="warning">
      <div className={styles.backdate}>
        <DateField
          label={t("Returned at")}
          granularity="minute"
          hideTimeZone
          autoFocus
          maxValue={now(clock.timeZone)}
          value={parseAbsolute(returnedAt, clock.timeZone)}
          onChange={change}
          onKeyDown={leave}
        />
        <Button onPress={returnNow}>{t("Returned now")}</Button>
      </div>
      <p>
        {t("The items you scan count as returned on {date}.", {
          date: formatDateTime(returnedAt, clock),
        })}
      </p>
    </Notice>
  );
}
