/** What decided, in a few sentences with links to the rule, the policy and the calendar; and "what if". */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Dialog, Heading, Link, Modal, ModalOverlay } from "react-aria-components";
import { askWhy, type Explained, type Question, type WhatIf } from "../../api/why";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import dialog from "../../ui/FormDialog.module.css";
import { announce } from "../../ui/LiveRegion";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { useCurrency } from "../fees/useCurrency";
import { useClock } from "../tenant/useClock";
import { outcomeOf } from "./outcome";
import { type Told, tell } from "./telling";
import { triedAt } from "./tried";
import { WhatIfFields } from "./WhatIfFields";
import styles from "./why.module.css";

interface Props {
  /** One is answered at a time. */
  questions: readonly [Question, ...Question[]];
  onClose: () => void;
}

export default function WhyDialog({ questions, onClose }: Props) {
  const [place, setPlace] = useState(0);
  const question = questions[place] ?? questions[0];
  const [whatIf, setWhatIf] = useState<WhatIf>({});
  const answer = useQuery({
    queryKey: ["why", question, whatIf],
    queryFn: () => askWhy(question, whatIf),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={dialog.overlay ?? ""}
    >
      <Modal className={dialog.modal ?? ""}>
        <Dialog className={`${dialog.dialog} ${styles.why}`}>
          <Heading slot="title" level={2}>
            {t("Why?")}
          </Heading>
          {questions.length > 1 && (
            <SelectField
              label={t("Which fee?")}
              value={String(place)}
              options={questions.map((asked, n) => ({ id: String(n), label: nameOf(asked) }))}
              onChange={(id) => setPlace(Number(id))}
            />
          )}
          <ProblemNotice error={answer.error} onRetry={() => void answer.refetch()} />
          {answer.isPending && <p>{t("Loading…")}</p>}
          {answer.data && (
            <>
              <Answer explained={answer.data} isTried={Object.keys(whatIf).length > 0} />
              <WhatIfFields
                tried={triedAt(question, answer.data, whatIf)}
                facts={answer.data.facts}
                whatIf={whatIf}
                onChange={setWhatIf}
              />
            </>
          )}
          <div className={dialog.actions}>
            <Button onPress={onClose} autoFocus>
              {t("Close")}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What tells a question from the others of the same scan. */
const nameOf = (question: Question) =>
  question.about === "fee-of-loan" ? fixed("feeType", question.type) : t("Why?");

function Answer({ explained, isTried }: { explained: Explained; isTried: boolean }) {
  const view = { clock: useClock(), currency: useCurrency() };
  const outcome = outcomeOf(explained, isTried, view);
  useEffect(() => announce(outcome), [outcome]);
  return (
    <div className={styles.answer} data-tried={isTried || undefined}>
      <p className={styles.outcome}>{outcome}</p>
      <ul className={styles.reasons} aria-label={t("Reasons")}>
        {tell(explained, isTried, view).map((told) => (
          <li key={told.text}>
            <Reason {...told} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Reason({ text, rule, link }: Told) {
  return (
    <>
      {text}
      {rule && <code className={styles.rule}>{rule}</code>}
      {link && (
        <>
          {" "}
          <Link href={link.to} className={styles.link ?? ""}>
            {link.label}
          </Link>
        </>
      )}
    </>
  );
}
