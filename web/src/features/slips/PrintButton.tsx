import { useActions } from "../../lib/actions";
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
  const print = () => {
    if (!isDisabled) onPrint();
  };
  useActions([{ label, keys: `Alt+${PRINT_DIGIT}`, run: print }]);
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
