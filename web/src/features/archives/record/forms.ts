import type { AnyRecord } from "../../../api/archivesTypes";

/** What every form of a record gets. */
export interface FormProps<Kind extends AnyRecord> {
  repository: number;
  mine: Kind;
  set: (changes: Partial<Kind>) => void;
  /** The value lists by name. */
  lists: Readonly<Record<string, string[]>>;
}
