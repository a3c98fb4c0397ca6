import { lazy, Suspense } from "react";
import { t } from "../../lib/i18n";
import type { TokenSet } from "./templateTokens";

const TemplatePreview = lazy(() => import("./TemplatePreview"));

/** The preview with what it needs to draw bar codes and clean HTML, loaded when there is a template. */
export function LazyPreview(props: { text: string; tokens: TokenSet }) {
  return (
    <Suspense fallback={<p>{t("Loading…")}</p>}>
      <TemplatePreview {...props} />
    </Suspense>
  );
}
