/** Long lists whose rows are not of a table: the first rows, and more when asked. */
import { type ReactNode, useState } from "react";
import { t } from "../lib/i18n";
import { Button } from "./Button";

const AT_ONCE = 100;

/** The rows to draw, and the button for more of them; nothing if all are there. An emptied list begins anew. */
export function useFirst<T>(rows: readonly T[], label?: string): [readonly T[], ReactNode] {
  const [most, setMost] = useState(AT_ONCE);
  if (rows.length === 0 && most > AT_ONCE) setMost(AT_ONCE);
  const more = rows.length > most && (
    <Button onPress={() => setMost(most + AT_ONCE)}>
      {label ?? t("Show more ({rest})", { rest: rows.length - most })}
    </Button>
  );
  return [rows.slice(0, most), more];
}
