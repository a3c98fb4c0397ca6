import { Label, Radio, RadioGroup } from "react-aria-components";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import styles from "../check-in/ResolutionDialog.module.css";
import type { Sponsor } from "./scan";

interface Props {
  patron: string;
  sponsors: readonly Sponsor[];
  chosen: Sponsor | undefined;
  onChoose: (sponsor: Sponsor | undefined) => void;
  onCancel: () => void;
}

/** Asks for whom a proxy borrows. */
export default function SponsorDialog({ patron, sponsors, chosen, onChoose, onCancel }: Props) {
  const selected = chosen?.id ?? "";
  const options = [{ id: "", name: patron, barcode: t("for themselves") }, ...sponsors];
  return (
    <FormDialog
      title={t("For whom does {patron} borrow?", { patron })}
      submitLabel={t("Choose")}
      onSubmit={(form) => onChoose(sponsors.find(({ id }) => id === form.get("sponsor")))}
      onCancel={onCancel}
    >
      <RadioGroup name="sponsor" defaultValue={selected} className={styles.group ?? ""}>
        <Label>{t("Borrower")}</Label>
        {options.map(({ id, name, barcode }) => (
          <Radio key={id} value={id} className={styles.option ?? ""} autoFocus={id === selected}>
            {name} ({barcode})
          </Radio>
        ))}
      </RadioGroup>
      <p>{t("It holds until the next card is scanned.")}</p>
    </FormDialog>
  );
}
