import { useAltDigit } from "../../lib/shortcuts";
import { Button } from "../../ui/Button";

/** With Alt, the shortcut for printing. */
export const PRINT_DIGIT = 7;

interface Props {
  label: string;
  isDisabled: boolean;
  look?: "primary";
  onPrint: () => void;
}

/** Prints the slips of the page. */
export function PrintButton({ label, isDisabled, look, onPrint }: Props) {
  useAltDigit(PRINT_DIGIT, () => {
    if (!isDisabled) onPrint();
  });
  return (
    <Button
      onPress={onPrint}
      isDisabled={isDisabled}
      keys={`Alt ${PRINT_DIGIT}`}
      aria-keyshortcuts={`Alt+${PRINT_DIGIT}`}
      {...(look && { look })}
    >
      {label}
    </Button>
  );
}
