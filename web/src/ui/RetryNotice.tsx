import type { ReactNode } from "react";
import { t } from "../lib/i18n";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props {
  /** What went wrong. */
  children: ReactNode;
  onRetry: () => void;
  /** For what has no other way out, such as a dialog. */
  onClose?: (() => void) | undefined;
}

/** In the place of a page or a part of one that cannot be shown. */
export function RetryNotice({ children, onRetry, onClose }: Props) {
  return (
    <Notice look="danger" role="alert">
      {children}
      <Button onPress={onRetry}>{t("Try again")}</Button>
      {onClose && (
        <Button look="quiet" onPress={onClose}>
          {t("Close")}
        </Button>
      )}
    </Notice>
  );
}
