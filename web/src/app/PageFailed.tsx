import type { ErrorComponentProps } from "@tanstack/react-router";
import { t } from "../lib/i18n";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";

/** In the place of a page that has a defect: the frame, and the scans that wait, stay. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <Notice look="danger" role="alert">
        <p>{t("This page has failed. Whoever runs Carrel here may want to know:")}</p>
        <pre>{error instanceof Error ? error.message : String(error)}</pre>
        <Button onPress={reset}>{t("Try again")}</Button>
      </Notice>
    </main>
  );
}
