/** The patron at the desk, as staff check at a glance before lending. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode, RefObject } from "react";
import type { User } from "../../api/types";
import { formatDate } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { inWords } from "../../lib/wording";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import type { Sponsors } from "../desk/useSponsor";
import { formatMoney, sumOf } from "../fees/money";
import { useCurrency } from "../fees/useCurrency";
import { useServicePointId } from "../service-points/useServicePointId";
import { useClock } from "../tenant/useClock";
import { BlocksBanner } from "./BlocksBanner";
import styles from "./PatronPanel.module.css";
import { initialsOf, isPast, nameOf } from "./patron";
import { deskNotes, openFees, readyRequests, usePatronDetails } from "./queries";

interface Props {
  patron: User | undefined;
  sponsors: Sponsors;
  /** The scan field. */
  inputRef: RefObject<HTMLElement | null>;
}

export function PatronPanel({ patron, sponsors, inputRef }: Props) {
  return (
    <section className={styles.panel} aria-label={t("Patron")}>
      {patron ? (
        <Patron patron={patron} sponsors={sponsors} inputRef={inputRef} />
      ) : (
        <p className={styles.empty}>{t("No patron yet.")}</p>
      )}
    </section>
  );
}

function Patron({ patron, sponsors, inputRef }: Props & { patron: User }) {
  const { group, openLoans } = usePatronDetails(patron);
  return (
    <>
      <div className={styles.who}>
        <span className={styles.picture} aria-hidden="true">
          {initialsOf(patron)}
        </span>
        <div>
          <h2>
            <Link to={`/patrons/${patron.id}` as "/"}>{nameOf(patron)}</Link>
          </h2>
          <div className={styles.muted}>
            {[group.data?.group, patron.barcode].filter(Boolean).join(" · ")}
          </div>
        </div>
      </div>
      <Sponsorship patron={patron} {...sponsors} />
      <BlocksBanner userId={patron.id} focusAfterwards={inputRef} />
      <PopUpNotes userId={patron.id} />
      <dl className={styles.facts}>
        <Fact name={t("Status")}>
          <Status active={patron.active ?? false} />
        </Fact>
        <Fact name={t("Expires")}>
          <Expiry date={patron.expirationDate} />
        </Fact>
        <Fact name={t("Open loans")}>{known(openLoans.data, openLoans.error)}</Fact>
        <Ready userId={patron.id} />
        <Owed userId={patron.id} />
        <NoteCount userId={patron.id} />
      </dl>
    </>
  );
}

function Sponsorship({ patron, sponsors, sponsor, proxies, choose }: Sponsors & { patron: User }) {
  return (
    <>
      {sponsors.length > 0 && (
        <div className={styles.sponsor} data-chosen={sponsor !== undefined}>
          <span>
            {sponsor
              ? t("Borrows for {sponsor}", { sponsor: sponsor.name })
              : t("{patron} may also borrow for others.", { patron: nameOf(patron) })}
          </span>
          <Button onPress={choose} keys={KEYS.sponsor} aria-keyshortcuts={KEYS.sponsor}>
            {t("For whom?")}
          </Button>
        </div>
      )}
      {proxies.length > 0 && (
        <p className={styles.muted}>
          {t("Proxies: {names}", { names: proxies.map(nameOf).join("; ") })}
        </p>
      )}
    </>
  );
}

/** Notes that are to be shown at check-out, in full. */
function PopUpNotes({ userId }: { userId: string }) {
  const { data = [] } = useQuery(deskNotes(userId));
  const notes = data.filter(({ popUpOnCheckOut }) => popUpOnCheckOut);
  if (notes.length === 0) return null;
  return (
    <Notice look="warning">
      <ul className={styles.notes}>
        {notes.map(({ id, title, text }) => (
          <li key={id}>
            <strong>{title}</strong> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Ready({ userId }: { userId: string }) {
  const { data, error } = useQuery(readyRequests(userId, useServicePointId()));
  return (
    <Fact name={t("Ready here")}>
      {data && data.length > 0 ? (
        <ul className={styles.ready}>
          {data.map(({ id, instance, item }) => (
            <li key={id}>
              {instance?.title ?? t("Untitled item")} <code>{item?.barcode}</code>
            </li>
          ))}
        </ul>
      ) : (
        known(data && t("Nothing"), error)
      )}
    </Fact>
  );
}

function Owed({ userId }: { userId: string }) {
  const { data, error } = useQuery(openFees(userId));
  const currency = useCurrency();
  const cents = data && sumOf(data.map(({ remaining }) => remaining));
  const text = cents === undefined ? undefined : formatMoney(cents, currency);
  return (
    <Fact name={t("Fees owed")}>
      {cents ? <span className={styles.bad}>{text}</span> : known(text, error)}
    </Fact>
  );
}

function NoteCount({ userId }: { userId: string }) {
  const { data, error } = useQuery(deskNotes(userId));
  return (
    <Fact name={t("Notes")}>
      {data && data.length > 0 ? (
        <Link to={`/patrons/${userId}?tab=notes` as "/"}>{data.length}</Link>
      ) : (
        known(data?.length, error)
      )}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Status({ active }: { active: boolean }) {
  return active ? t("Active") : <span className={styles.bad}>{t("Inactive")}</span>;
}

function Expiry({ date }: { date: string | undefined }) {
  const clock = useClock();
  if (!date) return t("Never");
  const day = formatDate(date, clock);
  return isPast(date, new Date()) ? (
    <span className={styles.bad}>{t("{day} (expired)", { day })}</span>
  ) : (
    day
  );
}

function known(value: ReactNode, error: unknown): ReactNode {
  return error ? inWords(error) : (value ?? "…");
}
