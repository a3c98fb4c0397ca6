import { useActions } from "../../lib/actions";
import { KEYS } from "../../lib/keys";
import { Button } from "../../ui/Button";

interface Props {
  label: string;
  isDisabled: boolean;
  /** Why it cannot print, whatever there is to print. */
  disabledReason?: string | undefined;
  look?: "primary";
  onPrint: () => void;
}

/** Prints the slips of the page. */
export function PrintButton({ label, isDisabled, disabledReason, look, onPrint }: Props) {
  const print = () => {
    if (!isDisabled) onPrint();
  };
  useActions([{ label, keys: KEYS.print, run: print, disabledReason }]);
  return (
    <Button
      onPress={onPrint}
      isDisabled={isDisabled && !disabledReason}
      disabledReason={disabledReason}
      keys={KEYS.print}
      aria-keyshortcuts={KEYS.print}
      {...(look && { look })}
    >
      {label}
    </Button>
  );
}
