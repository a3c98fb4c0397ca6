import { t } from "../../lib/i18n";
import type { PatronDraft } from "./patronDraft";

/** The names of the form's fields. */
export const labels = (): Record<keyof PatronDraft, string> => ({
  lastName: t("Last name"),
  firstName: t("First name"),
  middleName: t("Middle name"),
  preferredFirstName: t("Preferred first name"),
  pronouns: t("Pronouns"),
  username: t("User name"),
  barcode: t("Barcode"),
  externalSystemId: t("External id"),
  active: t("Active"),
  patronGroup: t("Patron group"),
  type: t("Type"),
  enrollmentDate: t("Enrolled"),
  expirationDate: t("Expires"),
  email: t("E-mail"),
  phone: t("Phone"),
  mobilePhone: t("Mobile phone"),
  dateOfBirth: t("Date of birth"),
  preferredContactTypeId: t("Preferred contact"),
  addresses: t("Addresses"),
});
