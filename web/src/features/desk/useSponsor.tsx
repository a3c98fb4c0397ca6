/** For whom the patron at the desk borrows: for themselves, or as a proxy for a sponsor. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useState } from "react";
import type { User } from "../../api/types";
import { useActions } from "../../lib/actions";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { later } from "../../ui/later";
import { nameOf } from "../patrons/patron";
import { isProxyInForce } from "../patrons/proxy";
import { proxies } from "../patrons/queries";
import type { Sponsor } from "./scan";

const SponsorDialog = later(() => import("./SponsorDialog").then((file) => file.default), {
  isAtHand: true,
});

export interface Sponsors {
  /** For whom the patron may borrow. */
  sponsors: readonly Sponsor[];
  /** Who may borrow for the patron. */
  proxies: readonly User[];
  /** For whom the next loans are; the patron's own without one. */
  sponsor: Sponsor | undefined;
  choose: () => void;
  dialog: ReactNode;
}

export function useSponsor(
  patron: User | undefined,
  inputRef: RefObject<HTMLInputElement | null>,
): Sponsors {
  const { data } = useQuery({ ...proxies(patron?.id ?? ""), enabled: patron !== undefined });
  const [chosen, setChosen] = useState<Sponsor>();
  const [isAsking, setAsking] = useState(false);
  const now = new Date();
  const inForce = data?.relations.filter((relation) => isProxyInForce(relation, now)) ?? [];
  const people = (ids: (string | undefined)[]) =>
    ids.flatMap((id) => data?.people.get(id ?? "") ?? []);
  const of = patron?.id;
  const sponsors = people(
    inForce.filter(({ proxyUserId }) => proxyUserId === of).map(({ userId }) => userId),
  ).flatMap((person) => sponsorOf(person, of));
  const sponsor = sponsors.find(({ id }) => id === chosen?.id && chosen.proxyId === of);
  const choose = () => {
    inputRef.current?.focus(); // the focus returns here when the dialog closes
    setAsking(true);
  };
  useActions(
    sponsors.length > 0
      ? [{ label: t("Lend for a sponsor…"), keys: KEYS.sponsor, run: choose }]
      : [],
  );
  const dialog = isAsking && patron && (
    <SponsorDialog
      patron={nameOf(patron)}
      sponsors={sponsors}
      chosen={sponsor}
      onChoose={(sponsor) => {
        setChosen(sponsor);
        setAsking(false);
      }}
      onCancel={() => setAsking(false)}
    />
  );
  return {
    sponsors,
    proxies: people(inForce.filter(({ userId }) => userId === of).map((r) => r.proxyUserId)),
    sponsor,
    choose,
    dialog,
  };
}

/** Loans are made by barcode, so a sponsor without one cannot borrow here. */
function sponsorOf(person: User, proxyId: string | undefined): Sponsor[] {
  if (!person.barcode || !proxyId || person.id === proxyId) return [];
  return [{ id: person.id, barcode: person.barcode, name: nameOf(person), proxyId }];
}
