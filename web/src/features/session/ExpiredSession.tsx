import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAltDigit } from "../../lib/shortcuts";
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
  useAltDigit(5, ask);
  return (
    <Notice look="danger" role="alert">
      <p>
        Your session has expired. What you scan is kept and goes on as soon as you have signed in
        again.
      </p>
      <Button onPress={ask} keys="Alt 5" aria-keyshortcuts="Alt+5">
        Sign in again…
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
      title="Sign in again"
      submitLabel="Sign in"
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
        label={`Password of ${session.username}`}
        name="password"
        type="password"
        isRequired
        autoFocus
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
