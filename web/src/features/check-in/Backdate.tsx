/** Sets an earlier return date, such as for a book drop after a weekend. */

import { now, parseAbsolute, type ZonedDateTime } from "@internationalized/date";
import type { KeyboardEvent } from "react";
import { useActions } from "../../lib/actions";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { DateField } from "../../ui/fields";
import { Notice } from "../../ui/Notice";
import styles from "./Backdate.module.css";

interface Props {
  clock: Clock;
  /** The return date of the next scans, as an ISO instant; absent for now. */
  returnedAt: string | undefined;
  onChange: (returnedAt: string | undefined) => void;
  onDone: () => void;
}

export function Backdate(props: Props) {
  const { clock, returnedAt, onChange } = props;
  const start = () => onChange(thisMinute(clock).toAbsoluteString());
  useActions([{ label: t("Returned earlier…"), keys: "Alt+4", run: start }]);
  if (returnedAt) return <EarlierReturn {...props} returnedAt={returnedAt} />;
  return (
    <div>
      <Button look="quiet" onPress={start} keys="Alt 4" aria-keyshortcuts="Alt+4">
        {t("Returned earlier…")}
      </Button>
    </div>
  );
}

function EarlierReturn({ clock, returnedAt, onChange, onDone }: Props & { returnedAt: string }) {
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

function thisMinute({ timeZone }: Clock): ZonedDateTime {
  return now(timeZone).set({ second: 0, millisecond: 0 });
}
