import type { ErrorComponentProps } from "@tanstack/react-router";
import { t } from "../lib/i18n";
import { RetryNotice } from "../ui/RetryNotice";

/** In the place of a page that has a defect: the frame, and the scans that wait, stay. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <RetryNotice onRetry={reset}>
        <p>{t("This page has failed. Whoever runs Carrel here may want to know:")}</p>
        <pre>{error instanceof Error ? error.message : String(error)}</pre>
      </RetryNotice>
    </main>
  );
}
