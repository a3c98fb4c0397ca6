import { t } from "../../lib/i18n";
import { Notice } from "../../ui/Notice";

/** Says that printing failed, until the next attempt. */
export function PrintProblem({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Notice look="danger" role="alert">
      {t("The slips could not be printed. Check the network, then print them again.")}
    </Notice>
  );
}
