/** "Why?" beside a due date, a fee or a refusal. The answer is a chunk of its own, loaded when somebody asks. */
import { type RefObject, useState } from "react";
import type { Question } from "../../api/why";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { later } from "../../ui/later";

const WhyDialog = later(() => import("./WhyDialog").then((file) => file.default), {
  isAtHand: true,
});

interface Props {
  question: Question;
  /** What is asked about, for a screen reader: the title of a book. */
  subject: string;
  /** Where the focus returns to instead of the button. */
  focusAfterwards?: RefObject<HTMLElement | null>;
}

export function WhyButton({ question, subject, focusAfterwards }: Props) {
  const [isOpen, setOpen] = useState(false);
  const ask = () => {
    focusAfterwards?.current?.focus(); // the dialog gives the focus back to where it was
    setOpen(true);
  };
  return (
    <>
      <Button look="quiet" onPress={ask} aria-label={t("Why? {subject}", { subject })}>
        {t("Why?")}
      </Button>
      <WhyAnswer questions={isOpen ? [question] : []} onClose={() => setOpen(false)} />
    </>
  );
}

interface AnswerProps {
  /** Nothing is shown without one; of several, the user chooses. */
  questions: readonly Question[];
  onClose: () => void;
}

/** The answer to a question that is asked elsewhere than with a button of its own. */
export function WhyAnswer({ questions, onClose }: AnswerProps) {
  const [first, ...others] = questions;
  return first && <WhyDialog questions={[first, ...others]} onClose={onClose} />;
}
