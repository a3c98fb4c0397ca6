import { Label, Radio, RadioGroup } from "react-aria-components";
import type { ClaimedReturnedResolution } from "../../api/types";
import { t } from "../../lib/i18n";
import { FormDialog } from "../../ui/FormDialog";
import type { DeskScan } from "../desk/scan";
import styles from "./ResolutionDialog.module.css";
import { RESOLUTIONS } from "./resolutions";

interface Props {
  scan: DeskScan;
  onResolve: (resolution: ClaimedReturnedResolution) => void;
  onCancel: () => void;
}

export function ResolutionDialog({ scan, onResolve, onCancel }: Props) {
  const submit = (form: FormData) => {
    const resolution = RESOLUTIONS.find(({ name }) => name === form.get("resolution"));
    if (resolution) onResolve(resolution.name);
  };
  return (
    <FormDialog
      title={t("Claimed returned")}
      submitLabel={t("Check in")}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p>
        {t("The patron says that item {barcode} was returned before.", { barcode: scan.barcode })}
      </p>
      <RadioGroup name="resolution" defaultValue="Found by library" className={styles.group ?? ""}>
        <Label>{t("How was it found?")}</Label>
        {RESOLUTIONS.map(({ name, label }, index) => (
          <Radio key={name} value={name} className={styles.option ?? ""} autoFocus={index === 0}>
            {t(label)}
          </Radio>
        ))}
      </RadioGroup>
    </FormDialog>
  );
}
