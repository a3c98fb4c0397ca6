import { leaveServicePoint, type Session } from "../features/session/session";
import { t } from "../lib/i18n";
import { Button } from "../ui/Button";

/** Where the desk works, with the means to change it. */
export function ServicePoint({ session: { servicePoint } }: { session: Session }) {
  if (!servicePoint) return null;
  const { name } = servicePoint;
  return (
    <Button
      look="quiet"
      onPress={leaveServicePoint}
      aria-label={t("Service point {name}: change", { name })}
    >
      {name}
    </Button>
  );
}
