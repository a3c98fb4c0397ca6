import { useMutation } from "@tanstack/react-query";
import { changeDueDate } from "../../api/loans";
import type { Loan } from "../../api/types";
import { DueDateDialog } from "../loans/DueDateDialog";

interface Props {
  loan: Loan;
  onChanged: (loan: Loan) => void;
  onCancel: () => void;
}

/** Gives a loan that was just made another due date. */
export function ChangeDueDate({ loan, onChanged, onCancel }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (dueDate: string) => changeDueDate(loan.id, dueDate),
    onSuccess: (_, dueDate) => onChanged({ ...loan, dueDate, action: "dueDateChanged" }),
  });
  return (
    <DueDateDialog
      loans={[loan]}
      error={error}
      isBusy={isPending}
      onSend={({ dueDate }) => mutate(dueDate)}
      onCancel={onCancel}
    />
  );
}
