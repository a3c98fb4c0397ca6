import type { FormEvent } from "react";
import { Form } from "react-aria-components";
import { RefusedError } from "../../api/errors";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { TextField } from "../../ui/fields";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";

interface Props {
  error: unknown;
  onToken: (token: string) => void;
}

/** Why the figures may not be read from here, and how they may. */
export function MetricsRefused({ error, onToken }: Props) {
  const status = error instanceof RefusedError ? error.status : undefined;
  if (status === 401) return <AskForToken onToken={onToken} />;
  if (status === 403) {
    return (
      <Notice look="warning">
        <p>
          {t(
            "The figures may only be read on the machine on which Carrel runs. To read them from here, set metrics_token in its configuration.",
          )}
        </p>
      </Notice>
    );
  }
  if (status === 404) {
    return <Notice look="warning">{t("This server keeps no figures.")}</Notice>;
  }
  return <ProblemNotice error={error} title={t("The figures could not be read.")} />;
}

function AskForToken({ onToken }: Pick<Props, "onToken">) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onToken(String(new FormData(event.currentTarget).get("token")).trim());
  };
  return (
    <Notice look="warning">
      <p>{t("The figures are protected by the metrics_token of this installation.")}</p>
      <Form onSubmit={submit}>
        <TextField
          label={t("Token")}
          description={t("It is kept until you leave the page.")}
          name="token"
          type="password"
          isRequired
          autoComplete="off"
        />
        <Button type="submit">{t("Show the figures")}</Button>
      </Form>
    </Notice>
  );
}
