import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { isPending, type Scan } from "./scanQueue";

interface Props {
  scans: readonly Scan<unknown, unknown>[];
  onRetry: () => void;
}

/** Shown from the first unanswered scan until it is answered. */
export function ConnectionNotice({ scans, onRetry }: Props) {
  if (!scans.some((scan) => scan.inDoubt)) return null;
  const waiting = scans.filter(isPending).length;
  return (
    <Notice look="danger" role="alert">
      <p>
        {t(
          "The server does not answer. {waiting, plural, one {# scan waits} other {# scans wait}} on this page and will be sent when it answers again. Keep the page open.",
          { waiting },
        )}
      </p>
      <Button onPress={onRetry}>{t("Try now")}</Button>
    </Notice>
  );
}
