import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useActions } from "../../lib/actions";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { Notice, Reasons } from "../../ui/Notice";
import { type Session, signInAgain } from "./session";

/**
 * Offers to sign in again when the session has expired; the work stays on the page. The dialog opens only on request:
 * otherwise a scanner would type barcodes as passwords and lock the account.
 */
export function ExpiredSession({ session }: { session: Session }) {
  const [isAsking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  useActions([{ label: t("Sign in again…"), keys: "Alt+5", run: ask }]);
  return (
    <Notice look="danger" role="alert">
      <p>
        {t(
          "Your session has expired. What you scan and type is kept; it goes on as soon as you have signed in again.",
        )}
      </p>
      <Button onPress={ask} keys="Alt 5" aria-keyshortcuts="Alt+5">
        {t("Sign in again…")}
      </Button>
      {isAsking && <SignInAgainDialog session={session} onCancel={() => setAsking(false)} />}
    </Notice>
  );
}

interface DialogProps {
  session: Session;
  onCancel: () => void;
}

function SignInAgainDialog({ session, onCancel }: DialogProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => signInAgain(session, password),
  });
  return (
    <FormDialog
      title={t("Sign in again")}
      submitLabel={t("Sign in")}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get("password")))}
      onCancel={onCancel}
    >
      {error && (
        <Notice look="danger" role="alert">
          <Reasons error={error} />
        </Notice>
      )}
      <TextField
        label={t("Password of {username}", { username: session.username })}
        name="password"
        type="password"
        isRequired
        autoFocus
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
