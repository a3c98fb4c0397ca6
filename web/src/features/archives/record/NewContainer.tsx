import { useMutation } from "@tanstack/react-query";
import { saveRecord } from "../../../api/archives";
import { t } from "../../../lib/i18n";
import { FormDialog } from "../../../ui/FormDialog";
import { TextField } from "../../../ui/fields";
import { inWords } from "../values";
import { ValueField } from "./ValueField";

interface Props {
  repository: number;
  lists: Readonly<Record<string, string[]>>;
  onAdded: (ref: string, title: string) => void;
  onCancel: () => void;
}

/** A box that is not there yet, for the record that is being edited. */
export function NewContainer({ repository, lists, onAdded, onCancel }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const [type, indicator, barcode] = ["type", "indicator", "barcode"].map((name) =>
        String(form.get(name) ?? "").trim(),
      );
      const record = { jsonmodel_type: "top_container", type, indicator, barcode };
      const { uri } = await saveRecord(`/repositories/${repository}/top_containers`, record);
      return { uri, title: `${inWords(type)} ${indicator}` };
    },
    onSuccess: ({ uri, title }) => onAdded(uri, title),
  });
  return (
    <FormDialog
      title={t("New top container")}
      submitLabel={t("Add")}
      isBusy={isPending}
      error={error}
      onSubmit={mutate}
      onCancel={onCancel}
    >
      <ValueField label={t("Type")} name="type" list={lists.container_type} defaultValue="box" />
      <TextField label={t("Indicator")} name="indicator" isRequired autoFocus />
      <TextField label={t("Barcode")} name="barcode" />
    </FormDialog>
  );
}
