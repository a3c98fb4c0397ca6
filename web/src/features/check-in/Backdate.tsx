/** Sets an earlier return date, such as for a book drop after a weekend. */

import { useActions } from "../../lib/actions";
import type { Clock } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { Button } from "../../ui/Button";
import { later } from "../../ui/later";

const EarlierReturn = later(() => import("./EarlierReturn").then((file) => file.default), {
  isAtHand: true,
});

export interface BackdateProps {
  clock: Clock;
  /** The return date of the next scans, as an ISO instant; absent for now. */
  returnedAt: string | undefined;
  onChange: (returnedAt: string | undefined) => void;
  onDone: () => void;
}

export function Backdate(props: BackdateProps) {
  const { returnedAt, onChange } = props;
  // It is there before its field takes the focus, so that no key goes elsewhere.
  const start = () => void EarlierReturn.preload().then(() => onChange(thisMinute().toISOString()));
  useActions([{ label: t("Returned earlier…"), keys: KEYS.backdate, run: start }]);
  if (returnedAt) {
    return <EarlierReturn {...props} returnedAt={returnedAt} />;
  }
  return (
    <div>
      <Button look="quiet" onPress={start} keys={KEYS.backdate} aria-keyshortcuts={KEYS.backdate}>
        {t("Returned earlier…")}
      </Button>
    </div>
  );
}

function thisMinute(): Date {
  const now = new Date();
  now.setSeconds(0, 0);
  return now;
}
