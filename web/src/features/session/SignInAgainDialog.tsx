import { useMutation } from "@tanstack/react-query";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { Notice, Reasons } from "../../ui/Notice";
import { type Session, signInAgain, signOut } from "./session";

/** The session has expired in the middle of the work, which stays on the page behind this dialog. */
export function SignInAgainDialog({ session }: { session: Session }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => signInAgain(session, password),
  });
  return (
    <FormDialog
      title="Your session has expired"
      submitLabel="Sign in again"
      cancelLabel="Sign out"
      isDismissable={false}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get("password")))}
      onCancel={() => void signOut()}
    >
      {error && (
        <Notice look="danger" role="alert">
          <Reasons error={error} />
        </Notice>
      )}
      <p>Nothing is lost: your scans go on as soon as you are signed in. Signing out drops them.</p>
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
