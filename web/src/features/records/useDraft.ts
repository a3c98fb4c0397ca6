/** A form for a record that has no version: what somebody else saves meanwhile is brought in before it is written. */
import { useState } from "react";
import { t } from "../../lib/i18n";
import { mergeDrafts } from "../../lib/threeWay";
import { announce } from "../../ui/LiveRegion";
import { isSame } from "./values";

/** Somebody else has changed the record since it was read. */
export class ChangedElsewhereError<Stored = unknown> extends Error {
  readonly current: Stored;

  constructor(current: Stored) {
    super("Somebody else has changed this record");
    this.current = current;
  }
}

/** What another person changed while this form was open. */
export interface Meanwhile<Draft> {
  theirs: Draft;
  taken: (keyof Draft)[];
  disputed: (keyof Draft)[];
}

export function useDraft<Stored, Draft extends object>(
  base: Stored,
  draftOf: (stored: Stored) => Draft,
) {
  const [read, setRead] = useState(base);
  const [draft, setDraft] = useState(() => draftOf(base));
  const [meanwhile, setMeanwhile] = useState<Meanwhile<Draft>>();
  const change = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }));
  /** Takes what the other changed, keeps what was typed here, and lets the next save write over it. */
  const join = (error: Error) => {
    if (!(error instanceof ChangedElsewhereError)) return;
    const theirs = draftOf(error.current);
    const { merged, taken, disputed } = mergeDrafts(draftOf(read), draft, theirs);
    setDraft(merged);
    setRead(error.current);
    setMeanwhile({ theirs, taken, disputed });
    announce(t("Somebody else has changed this record. Nothing was saved yet."), "assertive");
  };
  /** Reads the record again and, if its fields are as they were, writes the changes into it. */
  const write = async (again: () => Promise<Stored>, put: (latest: Stored) => Promise<unknown>) => {
    const latest = await again();
    if (!isSame(draftOf(latest), draftOf(read))) throw new ChangedElsewhereError(latest);
    await put(latest);
  };
  return { read, draft, meanwhile, change, join, write };
}
