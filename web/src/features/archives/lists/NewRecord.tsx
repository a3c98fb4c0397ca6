import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { saveRecord } from "../../../api/archives";
import { t } from "../../../lib/i18n";
import { FormDialog } from "../../../ui/FormDialog";
import { TextField } from "../../../ui/fields";
import { pageOf } from "../addresses";
import { ARCHIVES_KEY, valueLists } from "../queries";
import { ValueField } from "../record/ValueField";
import type { Addition } from "./newRecords";

interface Props {
  repository: number;
  addition: Addition;
  onClose: () => void;
}

/** Asks for what a new record needs, adds it and shows its page. */
export function NewRecord({ repository, addition, onClose }: Props) {
  const router = useRouter();
  const client = useQueryClient();
  const lists = useQuery(valueLists).data;
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => saveRecord(addition.path(repository), recordOf(addition, form)),
    onSuccess: ({ uri }) => {
      void client.invalidateQueries({ queryKey: ARCHIVES_KEY });
      void router.navigate({ href: pageOf(uri, repository) });
    },
  });
  return (
    <FormDialog
      title={t(addition.title)}
      submitLabel={t("Add")}
      isBusy={isPending}
      error={error}
      onSubmit={mutate}
      onCancel={onClose}
    >
      {addition.fields.map(({ name, label, list, preset, isOptional, description }, at) =>
        list ? (
          <ValueField
            key={name}
            label={t(label)}
            name={name}
            list={lists?.[list]}
            isLanguages={/^(language|script)_iso/.test(list)}
            defaultValue={preset}
          />
        ) : (
          <TextField
            key={name}
            label={t(label)}
            name={name}
            isRequired={!isOptional}
            autoFocus={at === 0}
            {...(description && { description: t(description) })}
          />
        ),
      )}
    </FormDialog>
  );
}

function recordOf({ fields, record }: Addition, form: FormData): object {
  const given = fields.map(({ name }) => [name, String(form.get(name) ?? "").trim()] as const);
  return record(Object.fromEntries(given.filter(([, text]) => text !== "")));
}
