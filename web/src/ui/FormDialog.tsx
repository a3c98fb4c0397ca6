import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Dialog, Form, FormContext, Heading, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../lib/i18n";
import { Button } from "./Button";
import styles from "./FormDialog.module.css";
import { ProblemNotice } from "./ProblemNotice";
import { fieldErrorsOf } from "./problem";

interface Props {
  title: string;
  submitLabel: string;
  isBusy?: boolean;
  /** Why the last attempt failed; reasons that name a field are shown at the field as well. */
  error?: unknown;
  /** Reads the record again after somebody else changed it; what was typed stays. */
  onReload?: () => void;
  onSubmit: (form: FormData) => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Enter answers from the parts of a date as well, which are no inputs to the browser. */
function useEnterInDates(): RefObject<HTMLFormElement | null> {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const form = ref.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isInput = target instanceof HTMLInputElement;
      const isPart = target instanceof HTMLElement && target.role === "spinbutton" && !isInput;
      if (key !== "Enter" || !isPart) return;
      event.preventDefault();
      form?.requestSubmit();
    };
    form?.addEventListener("keydown", onKeyDown);
    return () => form?.removeEventListener("keydown", onKeyDown);
  }, []);
  return ref;
}

/** A question that interrupts the work: Enter answers, Escape cancels. */
export function FormDialog(props: Props) {
  const { title, submitLabel, isBusy = false, error, onReload } = props;
  const form = useEnterInDates();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React lets the events of a dialog through to the form that opened it.
    event.stopPropagation();
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
          {/* Without this, the form would also do what a form around the dialog does. */}
          <FormContext.Provider value={{}}>
            <Form
              className={styles.form ?? ""}
              ref={form}
              onSubmit={submit}
              validationErrors={fieldErrorsOf(error)}
            >
              <Heading slot="title" level={2}>
                {title}
              </Heading>
              <ProblemNotice error={error} {...(onReload && { onReload })} />
              {props.children}
              <div className={styles.actions}>
                <Button onPress={props.onCancel}>{t("Cancel")}</Button>
                <Button type="submit" look="primary" isPending={isBusy}>
                  {submitLabel}
                </Button>
              </div>
            </Form>
          </FormContext.Provider>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
