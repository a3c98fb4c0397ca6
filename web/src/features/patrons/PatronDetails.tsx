/** What a patron's record says. */
import { useQuery } from "@tanstack/react-query";
import type { User } from "../../api/types";
import { formatDate, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Facts, Section } from "../../ui/Detail";
import { useClock } from "../tenant/useClock";
import { AddressList } from "./AddressList";
import styles from "./Patrons.module.css";
import { ProxySection } from "./ProxySection";
import { isPast } from "./patron";
import { contactTypes } from "./patronDraft";
import { patronGroups } from "./queries";

export function PatronDetails({ user }: { user: User }) {
  const clock = useClock();
  const groups = useQuery(patronGroups).data;
  const personal = user.personal ?? { lastName: "" };
  const day = (text: string | undefined) => text && formatDate(text, { ...clock, timeZone: "UTC" });
  const expires = user.expirationDate
    ? isPast(user.expirationDate, new Date())
      ? t("{day} (expired)", { day: day(user.expirationDate) ?? "" })
      : day(user.expirationDate)
    : t("Never");
  const contact = contactTypes().find(({ id }) => id === personal.preferredContactTypeId)?.label;
  const email = personal.email && <a href={`mailto:${personal.email}`}>{personal.email}</a>;
  return (
    <div className={styles.form}>
      <Section title={t("Patron record")}>
        <Facts
          facts={[
            [t("Last name"), personal.lastName],
            [t("First name"), personal.firstName],
            [t("Middle name"), personal.middleName],
            [t("Preferred first name"), personal.preferredFirstName],
            [t("Pronouns"), personal.pronouns],
            [t("Barcode"), user.barcode],
            [t("User name"), user.username],
            [t("External id"), user.externalSystemId],
            [t("Patron group"), groups?.find(({ id }) => id === user.patronGroup)?.group],
            [t("Type"), user.type],
            [t("Enrolled"), day(user.enrollmentDate)],
            [t("Expires"), expires],
            [t("Date of birth"), day(personal.dateOfBirth)],
            [
              t("Last changed"),
              user.metadata?.updatedDate && formatDateTime(user.metadata.updatedDate, clock),
            ],
          ]}
        />
      </Section>
      <Section title={t("Contact")}>
        <Facts
          facts={[
            [t("E-mail"), email],
            [t("Phone"), personal.phone],
            [t("Mobile phone"), personal.mobilePhone],
            [t("Preferred contact"), contact],
          ]}
        />
        <AddressList addresses={personal.addresses ?? []} />
      </Section>
      <ProxySection user={user} />
    </div>
  );
}
