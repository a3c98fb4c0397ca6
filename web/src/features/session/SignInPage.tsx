/** The page shown without a session. */

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Form } from "react-aria-components";
import { t } from "../../lib/i18n";
import { Rich } from "../../lib/Rich";
import { usePageTitle } from "../../lib/usePageTitle";
import { Button } from "../../ui/Button";
import { TextField } from "../../ui/fields";
import { Notice, Reasons } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { useServerStatus } from "../server/useServerStatus";
import styles from "./SignInPage.module.css";
import { findOut, lastTenant, signIn, useStartProblem } from "./session";

export function SignInPage() {
  usePageTitle(t("Sign in"));
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <h1>{t("Sign in to Carrel")}</h1>
        <p>{t("The desk, the catalogue and the archives of your library.")}</p>
      </div>
      <ProblemNotice error={useStartProblem()} onRetry={() => void findOut()} />
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
    <Form className={styles.form ?? ""} onSubmit={submit} aria-label={t("Sign in")}>
      {error && (
        <Notice look="danger" role="alert">
          <Reasons error={error} />
        </Notice>
      )}
      <TextField
        label={t("Library")}
        description={t("The tenant's id.")}
        name="tenant"
        defaultValue={tenant}
        isRequired
        autoFocus={!tenant}
        autoComplete="organization"
      />
      <TextField
        label={t("User name")}
        name="username"
        isRequired
        autoFocus={tenant !== ""}
        autoComplete="username"
      />
      <TextField
        label={t("Password")}
        name="password"
        type="password"
        isRequired
        autoComplete="current-password"
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {t("Sign in")}
      </Button>
    </Form>
  );
}

function SampleHint() {
  if (!useServerStatus()?.sampleLibrary) return null;
  return (
    <Notice look="warning">
      <p>
        <Rich
          text="This server holds a sample library: sign in to <code>diku</code> as <code>diku_admin</code> with the password <code>admin</code>. Anybody who reaches this page can do the same."
          parts={{ code: <code /> }}
        />
      </p>
    </Notice>
  );
}
