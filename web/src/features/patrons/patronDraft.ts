/** A patron's record as a form: every member a text, and back. Members that the form does not show stay as they are. */
import type { UserInput } from "../../api/patrons";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";

export interface AddressDraft {
  /** Only for the form. */
  key: string;
  addressTypeId: string;
  addressLine1: string;
  addressLine2: string;
  city: string;
  region: string;
  postalCode: string;
  countryId: string;
  primaryAddress: boolean;
}

export interface PatronDraft {
  lastName: string;
  firstName: string;
  middleName: string;
  preferredFirstName: string;
  pronouns: string;
  username: string;
  barcode: string;
  externalSystemId: string;
  active: boolean;
  patronGroup: string;
  type: string;
  /** `2026-11-24`, as the day's name. */
  enrollmentDate: string;
  expirationDate: string;
  email: string;
  phone: string;
  mobilePhone: string;
  dateOfBirth: string;
  preferredContactTypeId: string;
  addresses: AddressDraft[];
}

export type TextMember = Exclude<keyof PatronDraft, "active" | "addresses">;

const DATES = ["enrollmentDate", "expirationDate"] as const;
const AT_TOP = ["username", "barcode", "externalSystemId", "patronGroup", "type"] as const;
const PERSONAL = [
  "lastName",
  "firstName",
  "middleName",
  "preferredFirstName",
  "pronouns",
  "email",
  "phone",
  "mobilePhone",
  "preferredContactTypeId",
] as const;
const LINES = [
  "addressTypeId",
  "addressLine1",
  "addressLine2",
  "city",
  "region",
  "postalCode",
  "countryId",
] as const;

export const NEW_PATRON: PatronDraft = draftOf({
  id: "",
  active: true,
  type: "patron",
  personal: { lastName: "", preferredContactTypeId: "002" },
});

export function draftOf(user: User): PatronDraft {
  const personal = user.personal ?? { lastName: "" };
  return {
    ...texts(AT_TOP, user),
    ...texts(PERSONAL, personal),
    active: user.active ?? false,
    enrollmentDate: dayOf(user.enrollmentDate),
    expirationDate: dayOf(user.expirationDate),
    dateOfBirth: dayOf(personal.dateOfBirth),
    addresses: (personal.addresses ?? []).map((address, n) => ({
      ...texts(LINES, address),
      key: `${n}`,
      primaryAddress: address.primaryAddress ?? false,
    })),
  };
}

/** The record to send: `base` with the form's values. Empty texts are members that are not there. */
export function userOf(draft: PatronDraft, base: User | undefined, id: string): UserInput {
  const { metadata: _, createdDate: __, updatedDate: ___, ...kept } = base ?? { id };
  const keptPersonal = base?.personal ?? { lastName: "" };
  const dates = DATES.map((name) => [name, storedDay(draft[name], base?.[name])] as const);
  const dateOfBirth = storedDay(draft.dateOfBirth, keptPersonal.dateOfBirth);
  const personal = { ...keptPersonal, ...given(PERSONAL, draft), dateOfBirth };
  return dropEmpty({
    ...kept,
    id,
    ...given(AT_TOP, draft),
    ...Object.fromEntries(dates),
    active: draft.active,
    personal: dropEmpty({
      ...personal,
      lastName: draft.lastName.trim(),
      addresses: draft.addresses.map((address) =>
        dropEmpty({ ...given(LINES, address), primaryAddress: address.primaryAddress }),
      ),
    }),
  }) as UserInput;
}

/** The day of an instant that means a day; FOLIO keeps days as midnight in UTC. */
function dayOf(instant: string | undefined): string {
  return instant?.slice(0, 10) ?? "";
}

/** A day that was not changed keeps its time; a new one ends in UTC. */
function storedDay(day: string, stored: string | undefined): string | undefined {
  if (!day) return undefined;
  return day === dayOf(stored) ? stored : `${day}T00:00:00.000+00:00`;
}

function texts<Name extends string>(
  names: readonly Name[],
  record: Partial<Record<Name, string | undefined>>,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? ""])) as Record<
    Name,
    string
  >;
}

function given<Name extends string>(names: readonly Name[], draft: Record<Name, string>) {
  return Object.fromEntries(names.map((name) => [name, draft[name].trim() || undefined]));
}

function dropEmpty(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** The ways to reach a patron; FOLIO numbers them. */
export function contactTypes() {
  return [
    { id: "001", label: t("Mail") },
    { id: "002", label: t("E-mail") },
    { id: "003", label: t("Text message") },
    { id: "004", label: t("Phone") },
    { id: "005", label: t("Mobile phone") },
  ];
}
