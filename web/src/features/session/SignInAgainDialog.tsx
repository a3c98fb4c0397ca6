import { useMutation } from "@tanstack/react-query";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { type Session, signInAgain } from "./session";

interface Props {
  session: Session;
  onCancel: () => void;
}

/** Asks the user of the page for the password. */
export default function SignInAgainDialog({ session, onCancel }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => signInAgain(session, password),
  });
  return (
    <FormDialog
      title={t("Sign in again")}
      submitLabel={t("Sign in")}
      isBusy={isPending}
      error={error}
      onSubmit={(form) => mutate(String(form.get("password")))}
      onCancel={onCancel}
    >
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
