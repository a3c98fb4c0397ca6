import type { FormEvent, ReactNode } from "react";
import { Dialog, Form, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "./Button";
import styles from "./FormDialog.module.css";

interface Props {
  title: string;
  submitLabel: string;
  isBusy?: boolean;
  onSubmit: (form: FormData) => void;
  onCancel: () => void;
  children: ReactNode;
}

/** A question that interrupts the work: Enter answers, Escape cancels. */
export function FormDialog(props: Props) {
  const { title, submitLabel, isBusy = false } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    props.onSubmit(new FormData(event.currentTarget));
  };
  return (
    <ModalOverlay
      isOpen
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
              <Button onPress={props.onCancel}>Cancel</Button>
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
