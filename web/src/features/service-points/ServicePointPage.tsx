/** Chooses the service point, which decides due dates, destinations and hold shelves. */

import { useQuery } from "@tanstack/react-query";
import { ListBox, ListBoxItem } from "react-aria-components";
import { listServicePoints } from "../../api/endpoints";
import type { ServicePoint } from "../../api/types";
import { t } from "../../lib/i18n";
import { usePageTitle } from "../../lib/usePageTitle";
import { Notice, Reasons } from "../../ui/Notice";
import { chooseServicePoint, type Session } from "../session/session";
import styles from "./ServicePointPage.module.css";

export default function ServicePointPage({ session }: { session: Session }) {
  usePageTitle(t("Service point"));
  const { data, error } = useQuery({ queryKey: ["service-points"], queryFn: listServicePoints });
  return (
    <main className={styles.page}>
      <h1>{t("Where are you working?")}</h1>
      {error && (
        <Notice look="danger" role="alert">
          <Reasons error={error} />
        </Notice>
      )}
      {data && (
        <Choice servicePoints={data.servicepoints} preferred={session.defaultServicePointId} />
      )}
    </main>
  );
}

interface ChoiceProps {
  servicePoints: ServicePoint[];
  preferred: string | undefined;
}

function Choice({ servicePoints, preferred }: ChoiceProps) {
  if (servicePoints.length === 0) {
    return <Notice look="warning">{t("This library has no service points yet.")}</Notice>;
  }
  const choose = (id: string | number) => {
    const chosen = servicePoints.find((servicePoint) => servicePoint.id === id);
    if (chosen) chooseServicePoint({ id: chosen.id, name: chosen.name });
  };
  const first = servicePoints.find(({ id }) => id === preferred) ?? servicePoints[0];
  return (
    <>
      <p className={styles.hint}>
        {t("Choose with the arrow keys or the first letters, then press Enter.")}
      </p>
      <ListBox
        aria-label={t("Service points")}
        className={styles.list ?? ""}
        selectionMode="single"
        selectionBehavior="replace"
        defaultSelectedKeys={first ? [first.id] : []}
        autoFocus
        onAction={choose}
        items={servicePoints}
      >
        {({ id, name, discoveryDisplayName }) => (
          <ListBoxItem
            id={id}
            textValue={name}
            className={styles.item ?? ""}
            onAction={() => choose(id)}
          >
            <span className={styles.name}>{name}</span>
            <span className={styles.place}>{discoveryDisplayName}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}
