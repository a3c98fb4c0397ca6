/** The page shown without a session. */
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Form } from "react-aria-components";
import { usePageTitle } from "../../lib/usePageTitle";
import { Button } from "../../ui/Button";
import { TextField } from "../../ui/fields";
import { Notice, Reasons } from "../../ui/Notice";
import { useServerStatus } from "../server/useServerStatus";
import styles from "./SignInPage.module.css";
import { lastTenant, signIn } from "./session";

export function SignInPage() {
  usePageTitle("Sign in");
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <h1>Sign in to the desk</h1>
        <p>Carrel checks the items of your library out and in.</p>
      </div>
      <SignInForm />
      <SampleHint />
    </main>
  );
}

function SignInForm() {
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ tenant, username, password }: Record<string, string>) =>
      signIn(tenant ?? "", username ?? "", password ?? ""),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name));
    mutate({
      tenant: text("tenant").trim(),
      username: text("username").trim(),
      password: text("password"),
    });
  };
  const tenant = lastTenant();
  return (
    <Form className={styles.form ?? ""} onSubmit={submit} aria-label="Sign in">
      {error && (
        <Notice look="danger" role="alert">
          <Reasons error={error} />
        </Notice>
      )}
      <TextField
        label="Library"
        description="The tenant's id."
        name="tenant"
        defaultValue={tenant}
        isRequired
        autoFocus={!tenant}
        autoComplete="organization"
      />
      <TextField
        label="User name"
        name="username"
        isRequired
        autoFocus={tenant !== ""}
        autoComplete="username"
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        isRequired
        autoComplete="current-password"
      />
      <Button type="submit" look="primary" isPending={isPending}>
        Sign in
      </Button>
    </Form>
  );
}

function SampleHint() {
  if (!useServerStatus()?.sampleLibrary) return null;
  return (
    <Notice look="warning">
      <p>
        This server holds a sample library: sign in to <code>diku</code> as <code>diku_admin</code>{" "}
        with the password <code>admin</code>. Anybody who reaches this page can do the same.
      </p>
    </Notice>
  );
}
