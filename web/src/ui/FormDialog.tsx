import type { FormEvent, ReactNode } from "react";
import { Dialog, Form, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "./Button";
import styles from "./FormDialog.module.css";

interface Props {
  title: string;
  submitLabel: string;
  cancelLabel?: string;
  isBusy?: boolean;
  onSubmit: (form: FormData) => void;
  onCancel: () => void;
  /** False where Escape must not be a decision. */
  isDismissable?: boolean;
  children: ReactNode;
}

/** A question that has to be answered before work goes on: Enter answers, Escape leaves. */
export function FormDialog(props: Props) {
  const {
    title,
    submitLabel,
    cancelLabel = "Cancel",
    isBusy = false,
    isDismissable = true,
  } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    props.onSubmit(new FormData(event.currentTarget));
  };
  return (
    <ModalOverlay
      isOpen
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(isOpen) => !isOpen && props.onCancel()}
      className={styles.overlay ?? ""}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""}>
          <Form className={styles.form ?? ""} onSubmit={submit}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {props.children}
            <div className={styles.actions}>
              <Button onPress={props.onCancel}>{cancelLabel}</Button>
              <Button type="submit" look="primary" isPending={isBusy}>
                {submitLabel}
              </Button>
            </div>
          </Form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
