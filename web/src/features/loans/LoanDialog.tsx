/** Asks for the comment that claiming, losing and missing need. */
import type { Loan } from "../../api/types";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import { TextArea } from "../../ui/fields";
import type { LoanChange } from "./loanRun";

type Asked = "claim" | "lost" | "missing";

interface Props {
  action: Asked;
  /** Those with which it can be done. */
  loans: readonly Loan[];
  /** How many selected loans are left out. */
  left: number;
  onSend: (change: LoanChange) => void;
  onCancel: () => void;
}

export function LoanDialog({ action, loans, left, onSend, onCancel }: Props) {
  const count = { count: loans.length };
  const words = WORDS[action]();
  const submit = (form: FormData) => {
    const comment = String(form.get("comment")).trim();
    const at = new Date().toISOString();
    onSend(action === "missing" ? { action, comment } : { action, comment, at });
  };
  return (
    <FormDialog title={words.title} submitLabel={words.title} onSubmit={submit} onCancel={onCancel}>
      <p>
        {t("{count, plural, one {This concerns # loan.} other {This concerns # loans.}}", count)}
      </p>
      {left > 0 && (
        <p>
          {t(
            "{left, plural, one {# selected loan is left out} other {# selected loans are left out}}, because this cannot be done with it.",
            { left },
          )}
        </p>
      )}
      <p>{words.effect}</p>
      <TextArea
        label={t("Comment")}
        name="comment"
        description={t("Kept with the loan.")}
        isRequired
        autoFocus
        validate={(text) => (text.trim() ? null : t("Say what happened."))}
      />
    </FormDialog>
  );
}

const WORDS: Record<Asked, () => { title: string; effect: string }> = {
  claim: () => ({
    title: t("Claim returned"),
    effect: t("The loan stays open, and the library looks for the item."),
  }),
  lost: () => ({
    title: t("Declare lost"),
    effect: t("The fees of the lost item policy are charged. If there are none, the loan ends."),
  }),
  missing: () => ({
    title: t("Declare missing"),
    effect: t("The loan ends, and the item is missing. The patron pays nothing."),
  }),
};
