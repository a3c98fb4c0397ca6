/** An error of a call in words, with what to do about it. Nothing that was typed is lost. */

import { t } from "../lib/i18n";
import { KEYS, keysInWords } from "../lib/keys";
import { reasonsInWords } from "../lib/wording";
import { Button } from "./Button";
import { Notice, Reasons } from "./Notice";
import { problemOf } from "./problem";

interface Props {
  /** The error of a query or mutation; nothing is shown without one. */
  error: unknown;
  /** What failed, as a sentence: `The loans could not be read.` */
  title?: string;
  /** Does the call again. */
  onRetry?: () => void;
  /** Reads the record again after somebody else changed it; the page keeps what was typed. */
  onReload?: () => void;
}

export function ProblemNotice({ error, title, onRetry, onReload }: Props) {
  if (!error) return null;
  return (
    <Notice look="danger" role="alert">
      {title && <strong>{title}</strong>}
      <Advice error={error} onRetry={onRetry} onReload={onReload} />
    </Notice>
  );
}

interface AdviceProps {
  error: unknown;
  onRetry: (() => void) | undefined;
  onReload: (() => void) | undefined;
}

function Advice({ error, onRetry, onReload }: AdviceProps) {
  switch (problemOf(error)) {
    case "session-expired":
      return (
        <p>
          {t(
            "Your session has expired. Sign in again with {keys}, then go on: what you typed is kept.",
            { keys: keysInWords(KEYS.signInAgain) },
          )}
        </p>
      );
    case "connection-lost":
      return (
        <>
          <p>{t("The server does not answer. Check the network; what you typed is kept.")}</p>
          {onRetry && <Button onPress={onRetry}>{t("Try again")}</Button>}
        </>
      );
    case "forbidden":
      return (
        <p>
          {reasonsInWords(error)[0]} {t("Whoever manages users here can give you the permission.")}
        </p>
      );
    case "changed":
      return (
        <>
          <p>
            {t("Somebody else has changed this record since you opened it, so nothing was saved.")}
          </p>
          {onReload && (
            <Button onPress={onReload}>{t("Read it again, keeping what I typed")}</Button>
          )}
        </>
      );
    case "refused":
      return (
        <>
          <Reasons error={error} />
          {onRetry && <Button onPress={onRetry}>{t("Try again")}</Button>}
        </>
      );
  }
}
