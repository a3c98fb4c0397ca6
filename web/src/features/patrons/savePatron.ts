/** Writing a patron's record, which has no version: it is read once more before, so that nobody's change is lost. */
import { RefusedError } from "../../api/errors";
import { getUser, replaceUser } from "../../api/patrons";
import type { User } from "../../api/types";
import { msg } from "../../lib/i18n";
import type { NewRecord } from "../records/newRecord";
import { ChangedElsewhereError } from "../records/useDraft";
import { type PatronDraft, userOf } from "./patronDraft";

/** Makes the patron, or writes the changes of `base`; gives the id. */
export async function savePatron(
  draft: PatronDraft,
  base: User | undefined,
  made: NewRecord,
): Promise<string> {
  if (!base) {
    await made.save({ ...userOf(draft, undefined, made.id) });
    return made.id;
  }
  const current = await getUser(base.id);
  if (stamp(current) !== stamp(base)) throw new ChangedElsewhereError(current);
  await replaceUser(base.id, userOf(draft, base, base.id));
  return base.id;
}

const stamp = ({ metadata, updatedDate }: User) => metadata?.updatedDate ?? updatedDate;

export type FieldErrors = Partial<Record<keyof PatronDraft, string>>;

const AT_FIELDS: readonly [RegExp, keyof PatronDraft, string][] = [
  [/username already exists/i, "username", msg("Another patron has this user name.")],
  [/barcode has already been taken/i, "barcode", msg("Another patron has this barcode.")],
  [
    /externalSystemId.*already exists|already exists.*externalSystemId/i,
    "externalSystemId",
    msg("Another patron has this external id."),
  ],
  [/one address per addresstype/i, "addresses", msg("A patron has one address of each type.")],
  [/dateOfBirth must be/i, "dateOfBirth", msg("This date of birth is too early.")],
  [/patron group not found/i, "patronGroup", msg("This patron group is gone. Choose another.")],
];

/** The refusals that belong to a field, in words. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof RefusedError)) return {};
  const found = error.entries.flatMap(({ message }) =>
    AT_FIELDS.filter(([pattern]) => pattern.test(message)).map(([, name, words]) => [name, words]),
  );
  return Object.fromEntries(found);
}
