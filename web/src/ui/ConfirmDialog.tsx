import type { ReactNode } from "react";
import { FormDialog } from "./FormDialog";

interface Props {
  title: string;
  /** A verb with its object: `Delete the block`. */
  confirmLabel: string;
  isBusy?: boolean;
  /** Why the last attempt failed. */
  error?: unknown;
  onConfirm: () => void;
  onCancel: () => void;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
}

/** A question before something that cannot be undone. */
export function ConfirmDialog({ confirmLabel, onConfirm, ...props }: Props) {
  return <FormDialog {...props} submitLabel={confirmLabel} onSubmit={onConfirm} />;
}
