import { t } from "../../lib/i18n";
import { TextField } from "../../ui/fields";
import { centsOf, formatMoney } from "./money";
import { useCurrency } from "./useCurrency";

interface Props {
  label: string;
  name: string;
  defaultValue?: string;
  /** The most that may be entered. */
  most?: bigint;
  autoFocus?: boolean;
}

/** An amount of money, kept as the text that was typed. */
export function MoneyField({ label, name, defaultValue, most, autoFocus = false }: Props) {
  const currency = useCurrency();
  const validate = (text: string) => {
    const cents = centsOf(text);
    if (cents === undefined) return t("Enter an amount such as 12.50.");
    if (cents <= 0n) return t("Enter more than nothing.");
    if (most !== undefined && cents > most) {
      return t("At most {amount}.", { amount: formatMoney(most, currency) });
    }
    return null;
  };
  return (
    <TextField
      label={t("{label} in {currency}", { label, currency: currency.currency })}
      name={name}
      inputMode="decimal"
      isRequired
      autoComplete="off"
      autoFocus={autoFocus}
      validate={validate}
      {...(defaultValue && { defaultValue })}
    />
  );
}
