import type { ReactNode } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import styles from "./Commands.module.css";

interface Props {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog at the top of the page that a click outside or Escape closes. */
export function CommandPanel({ label, onClose, children }: Props) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.panel ?? ""}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={label} className={styles.dialog ?? ""}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
