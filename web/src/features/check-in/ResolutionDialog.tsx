import { Label, Radio, RadioGroup } from "react-aria-components";
import type { ClaimedReturnedResolution } from "../../api/types";
import { FormDialog } from "../../ui/FormDialog";
import type { CheckInScan } from "./checkIn";
import styles from "./ResolutionDialog.module.css";

const RESOLUTIONS: ClaimedReturnedResolution[] = ["Found by library", "Returned by patron"];

interface Props {
  scan: CheckInScan;
  onResolve: (resolution: ClaimedReturnedResolution) => void;
  onCancel: () => void;
}

export function ResolutionDialog({ scan, onResolve, onCancel }: Props) {
  const submit = (form: FormData) => {
    const resolution = RESOLUTIONS.find((name) => name === form.get("resolution"));
    if (resolution) onResolve(resolution);
  };
  return (
    <FormDialog
      title="Claimed returned"
      submitLabel="Check in"
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p>The patron says that item {scan.barcode} was returned before.</p>
      <RadioGroup name="resolution" defaultValue="Found by library" className={styles.group ?? ""}>
        <Label>How was it found?</Label>
        {RESOLUTIONS.map((resolution, index) => (
          <Radio
            key={resolution}
            value={resolution}
            className={styles.option ?? ""}
            autoFocus={index === 0}
          >
            {resolution}
          </Radio>
        ))}
      </RadioGroup>
    </FormDialog>
  );
}
