/** "Why?" beside a due date, a fee or a refusal. The answer is a chunk of its own, loaded when somebody asks. */
import { useState } from "react";
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
}

export function WhyButton({ question, subject }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        onPress={() => setOpen(true)}
        aria-label={t("Why? {subject}", { subject })}
      >
        {t("Why?")}
      </Button>
      <WhyAnswer question={isOpen ? question : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

interface AnswerProps {
  /** Nothing is shown without one. */
  question: Question | undefined;
  onClose: () => void;
}

/** The answer to a question that is asked elsewhere than with a button of its own. */
export function WhyAnswer({ question, onClose }: AnswerProps) {
  if (!question) return null;
  return <WhyDialog question={question} onClose={onClose} />;
}
