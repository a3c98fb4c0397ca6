/** The patron at the desk, as staff check at a glance before checking out. */

import type { ReactNode } from "react";
import type { User } from "../../api/types";
import { formatDate } from "../../lib/dates";
import { msg, t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import { Notice } from "../../ui/Notice";
import { useClock } from "../tenant/useClock";
import styles from "./PatronPanel.module.css";
import { type Block, isPast, personName, type Stop } from "./patron";
import { usePatronDetails } from "./queries";

export function PatronPanel({ patron }: { patron: User | undefined }) {
  return (
    <section className={styles.panel} aria-label={t("Patron")}>
      {patron ? <Patron patron={patron} /> : <p className={styles.empty}>{t("No patron yet.")}</p>}
    </section>
  );
}

function Patron({ patron }: { patron: User }) {
  const { group, openLoans, blocks } = usePatronDetails(patron);
  return (
    <>
      <h2>{personName(patron.personal ?? {}) || patron.username}</h2>
      <Blocks blocks={blocks.data} error={blocks.error} />
      <dl className={styles.facts}>
        <Fact name={t("Barcode")}>{patron.barcode}</Fact>
        <Fact name={t("Patron group")}>{known(group.data?.group, group.error)}</Fact>
        <Fact name={t("Status")}>
          <Status active={patron.active ?? false} />
        </Fact>
        <Fact name={t("Expires")}>
          <Expiry date={patron.expirationDate} />
        </Fact>
        <Fact name={t("Open loans")}>{known(openLoans.data, openLoans.error)}</Fact>
      </dl>
    </>
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

const STOPS: Record<Stop, string> = {
  borrowing: msg("borrowing"),
  renewals: msg("renewals"),
  requests: msg("requests"),
};

function Blocks({ blocks, error }: { blocks: Block[] | undefined; error: unknown }) {
  if (error)
    return (
      <Notice look="warning">
        {t("Blocks could not be read.")} {inWords(error)}
      </Notice>
    );
  if (!blocks || blocks.length === 0) return null;
  return (
    <Notice look="danger" role="alert">
      <strong>{t("Blocked")}</strong>
      <ul className={styles.blocks}>
        {blocks.map(({ text, stops }) => (
          <li key={text}>
            {text} ({stops.map((stop) => t(STOPS[stop])).join(", ")})
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function known(value: ReactNode, error: unknown): ReactNode {
  return error ? inWords(error) : (value ?? "…");
}
