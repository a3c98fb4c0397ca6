/** The fields of a patron's record. */
import { useQuery } from "@tanstack/react-query";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { Section } from "../../ui/Detail";
import { TextField } from "../../ui/fields";
import { AddressFields } from "./AddressFields";
import styles from "./Patrons.module.css";
import { contactTypes, type PatronDraft, type TextMember } from "./patronDraft";
import { labels } from "./patronLabels";
import { patronGroups } from "./queries";
import type { FieldErrors } from "./savePatron";

export interface FieldsProps {
  draft: PatronDraft;
  onChange: (changes: Partial<PatronDraft>) => void;
  errors: FieldErrors;
}

export function PatronFields({ draft, onChange }: FieldsProps) {
  const groups = useQuery(patronGroups).data ?? [];
  const text = textFieldOf(draft, onChange);
  return (
    <Section title={t("Patron record")}>
      <div className={styles.fields}>
        {text("lastName", { isRequired: true, autoFocus: true })}
        {text("firstName")}
        {text("middleName")}
        {text("preferredFirstName")}
        {text("pronouns", { maxLength: 300 })}
        {text("barcode")}
        {text("username")}
        {text("externalSystemId")}
        <SelectField
          label={t("Patron group")}
          options={groups.map(({ id, group }) => ({ id, label: group }))}
          value={draft.patronGroup || null}
          onChange={(patronGroup) => onChange({ patronGroup })}
        />
        <DayField
          label={t("Expires")}
          value={draft.expirationDate}
          onChange={(expirationDate) => onChange({ expirationDate })}
        />
        <DayField
          label={t("Enrolled")}
          value={draft.enrollmentDate}
          onChange={(enrollmentDate) => onChange({ enrollmentDate })}
        />
        <DayField
          label={t("Date of birth")}
          value={draft.dateOfBirth}
          onChange={(dateOfBirth) => onChange({ dateOfBirth })}
        />
      </div>
      <Checkbox
        label={t("Active")}
        isSelected={draft.active}
        onChange={(active) => onChange({ active })}
      />
    </Section>
  );
}

export function ContactFields({ draft, onChange, errors }: FieldsProps) {
  const text = textFieldOf(draft, onChange);
  return (
    <Section title={t("Contact")}>
      <div className={styles.fields}>
        {text("email", { type: "email" })}
        {text("phone", { type: "tel" })}
        {text("mobilePhone", { type: "tel" })}
        <SelectField
          label={t("Preferred contact")}
          options={contactTypes()}
          value={draft.preferredContactTypeId || null}
          onChange={(preferredContactTypeId) => onChange({ preferredContactTypeId })}
        />
      </div>
      <AddressFields
        addresses={draft.addresses}
        error={errors.addresses}
        onChange={(addresses) => onChange({ addresses })}
      />
    </Section>
  );
}

interface TextOptions {
  isRequired?: boolean;
  autoFocus?: boolean;
  maxLength?: number;
  type?: "email" | "tel";
}

function textFieldOf(draft: PatronDraft, onChange: FieldsProps["onChange"]) {
  const names = labels();
  return (name: TextMember, options: TextOptions = {}) => (
    <TextField
      label={names[name]}
      name={name}
      value={draft[name]}
      onChange={(value) => onChange({ [name]: value })}
      autoComplete="off"
      {...options}
    />
  );
}
