/** Who may borrow and ask for this patron, and for whom this patron may. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { deleteProxy, type ProxyRelation } from "../../api/patrons";
import type { User } from "../../api/types";
import { type Clock, formatDate } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Detail";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { useClock } from "../tenant/useClock";
import styles from "./Patrons.module.css";
import { ProxyDialog } from "./ProxyDialog";
import { nameOf } from "./patron";
import { isProxyInForce } from "./proxy";
import { proxies } from "./queries";

export function ProxySection({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(proxies(user.id));
  const [adding, setAdding] = useState<"proxy" | "sponsor">();
  const [changing, setChanging] = useState<ProxyRelation>();
  const [removing, setRemoving] = useState<ProxyRelation>();
  const relations = data?.relations ?? [];
  const list = (title: string, none: string, of: (relation: ProxyRelation) => boolean) => (
    <Relations
      title={title}
      none={none}
      relations={relations.filter(of)}
      personOf={(relation) => data?.people.get(otherOf(relation, user.id))}
      onChange={setChanging}
      onRemove={setRemoving}
    />
  );
  return (
    <Section
      title={t("Proxies and sponsors")}
      actions={
        <>
          <Button needs="POST /proxiesfor" onPress={() => setAdding("proxy")}>
            {t("Add a proxy…")}
          </Button>
          <Button needs="POST /proxiesfor" onPress={() => setAdding("sponsor")}>
            {t("Add a sponsor…")}
          </Button>
        </>
      }
    >
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {list(t("Proxies of this patron"), t("No proxies."), ({ userId }) => userId === user.id)}
      {list(
        t("Sponsors of this patron"),
        t("No sponsors."),
        ({ proxyUserId }) => proxyUserId === user.id,
      )}
      {(adding || changing) && (
        <ProxyDialog
          user={user}
          role={adding ?? (changing?.userId === user.id ? "proxy" : "sponsor")}
          proxy={changing}
          onClose={() => {
            setAdding(undefined);
            setChanging(undefined);
          }}
        />
      )}
      {removing && (
        <RemoveDialog
          proxy={removing}
          name={nameOf(data?.people.get(otherOf(removing, user.id)) ?? { id: "" })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  );
}

interface RelationsProps {
  title: string;
  none: string;
  relations: readonly ProxyRelation[];
  personOf: (relation: ProxyRelation) => User | undefined;
  onChange: (relation: ProxyRelation) => void;
  onRemove: (relation: ProxyRelation) => void;
}

function Relations({ title, none, relations, personOf, onChange, onRemove }: RelationsProps) {
  const clock = useClock();
  if (relations.length === 0) return <p className={styles.muted}>{none}</p>;
  return (
    <ul className={styles.list} aria-label={title}>
      {relations.map((relation) => {
        const person = personOf(relation);
        const name = person ? nameOf(person) : t("A patron who is gone");
        return (
          <li key={relation.id} className={styles.entry}>
            <div>
              {title}:{" "}
              {person ? <Link to={`/patrons/${person.id}` as "/"}>{name}</Link> : <em>{name}</em>}
              <div className={styles.muted}>{factsOf(relation, clock)}</div>
            </div>
            <div className={styles.buttons}>
              <Button
                look="quiet"
                needs="PUT /proxiesfor/{id}"
                onPress={() => onChange(relation)}
                aria-label={t("Change {name}", { name })}
              >
                {t("Change…")}
              </Button>
              <Button
                look="quiet"
                needs="DELETE /proxiesfor/{id}"
                onPress={() => onRemove(relation)}
                aria-label={t("Remove {name}", { name })}
              >
                {t("Remove…")}
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function RemoveDialog(props: { proxy: ProxyRelation; name: string; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteProxy(props.proxy.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["patrons"] });
      props.onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("Remove this relationship?")}
      confirmLabel={t("Remove")}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={props.onClose}
    >
      <p>{t("{name} stays a patron. Loans made so far stay as they are.", { name: props.name })}</p>
    </ConfirmDialog>
  );
}

const otherOf = ({ userId, proxyUserId }: ProxyRelation, id: string) =>
  (userId === id ? proxyUserId : userId) ?? "";

function factsOf(relation: ProxyRelation, clock: Clock): string {
  const { expirationDate, requestForSponsor, notificationsTo } = relation;
  return [
    isProxyInForce(relation, new Date()) ? t("Active") : t("Inactive"),
    expirationDate && t("until {day}", { day: formatDate(expirationDate, clock) }),
    requestForSponsor === "Yes" && t("may request for the sponsor"),
    notificationsTo === "Proxy" ? t("notices go to the proxy") : t("notices go to the sponsor"),
  ]
    .filter(Boolean)
    .join(" · ");
}
