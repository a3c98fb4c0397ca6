import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { problemOf } from "../../ui/problem";
import type { Scan } from "./scanQueue";

type AnyScan = Scan<unknown, unknown>;

/** Whether the user lacked a permission for it. */
export const isForbidden = ({ state, error }: AnyScan) =>
  state === "refused" && problemOf(error) === "forbidden";

interface Props {
  scans: readonly AnyScan[];
  onRetry: () => void;
}

/** A permission that is taken away in the middle costs no scan: those that were refused can be sent again together. */
export function ForbiddenNotice({ scans, onRetry }: Props) {
  const count = scans.filter(isForbidden).length;
  if (count === 0) return null;
  return (
    <Notice look="danger" role="alert">
      <p>
        {t(
          "{count, plural, one {# scan was} other {# scans were}} refused for want of a permission. Whoever manages users here can give it to you; then try again.",
          { count },
        )}
      </p>
      <Button onPress={onRetry}>{t("Try again")}</Button>
    </Notice>
  );
}
