import type { AnyRecord } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";

/** When a record was changed last, and by whom. */
export function lastChange({ last_modified_by, user_mtime }: AnyRecord): string | undefined {
  if (!last_modified_by || !user_mtime) return undefined;
  return t("{day} by {name}", { day: user_mtime.slice(0, 10), name: last_modified_by });
}
