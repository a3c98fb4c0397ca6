import { useActions } from "../../lib/actions";
import { KEYS } from "../../lib/keys";
import { Button } from "../../ui/Button";

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
  useActions([{ label, keys: KEYS.print, run: print }]);
  return (
    <Button
      onPress={onPrint}
      isDisabled={isDisabled}
      keys={KEYS.print}
      aria-keyshortcuts={KEYS.print}
      {...(look && { look })}
    >
      {label}
    </Button>
  );
}
