/** Adds a component below the shown record, or after it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveRecord } from "../../../api/archives";
import type { AnyRecord, TreeChild } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { FormDialog } from "../../../ui/FormDialog";
import { TextField } from "../../../ui/fields";
import { kindOf } from "../addresses";
import { ARCHIVES_KEY, valueLists } from "../queries";
import { ValueField } from "../record/ValueField";
import { childCount } from "../tree/model";
import { placeOf } from "../tree/rows";
import type { TreeWork } from "../tree/treeWork";
import { useMay } from "../useRepository";

interface Props {
  record: AnyRecord;
  root: string;
  work: TreeWork;
  onAdded: (uri: string) => void;
}

interface Place {
  parent: string;
  position: number;
}

export function AddComponent({ record, root, work, onAdded }: Props) {
  const [place, setPlace] = useState<Place>();
  const may = useMay(repositoryOf(root))("update_resource_record");
  const forbidden = may
    ? undefined
    : t("You may not do this here. Whoever manages users can allow it.");
  const below = () => {
    const { tree } = work.snapshot();
    setPlace({ parent: record.uri, position: childCount(tree, record.uri) });
  };
  const after = () => {
    const now = placeOf(work.snapshot().tree, record.uri);
    if (now) setPlace({ parent: now.parent, position: now.position + 1 });
  };
  return (
    <>
      <Button onPress={below} disabledReason={forbidden}>
        {t("Add below…")}
      </Button>
      {record.uri !== root && (
        <Button onPress={after} disabledReason={forbidden}>
          {t("Add after…")}
        </Button>
      )}
      {place && (
        <NewComponent
          root={root}
          place={place}
          work={work}
          onAdded={(uri) => {
            setPlace(undefined);
            onAdded(uri);
          }}
          onCancel={() => setPlace(undefined)}
        />
      )}
    </>
  );
}

const repositoryOf = (uri: string): number => Number(uri.split("/")[2]);

interface NewProps {
  root: string;
  place: Place;
  work: TreeWork;
  onAdded: (uri: string) => void;
  onCancel: () => void;
}

function NewComponent({ root, place, work, onAdded, onCancel }: NewProps) {
  const client = useQueryClient();
  const lists = useQuery(valueLists).data;
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? "").trim();
      const given = { title: text("title"), level: text("level"), date: text("date") };
      const record = componentOf(given, root, place);
      const collection = `/repositories/${repositoryOf(root)}/archival_objects`;
      const { uri } = await saveRecord(collection, record);
      return { uri, given };
    },
    onSuccess: ({ uri, given }) => {
      work.change({ kind: "insert", ...place, child: childOf(uri, given) });
      void client.invalidateQueries({ queryKey: ARCHIVES_KEY });
      onAdded(uri);
    },
  });
  return (
    <FormDialog
      title={t("New component")}
      submitLabel={t("Add")}
      isBusy={isPending}
      error={error}
      onSubmit={mutate}
      onCancel={onCancel}
    >
      <TextField label={t("Title")} name="title" isRequired autoFocus />
      <ValueField
        label={t("Level")}
        name="level"
        list={lists?.archival_record_level}
        defaultValue="file"
      />
      <TextField label={t("Date")} name="date" description={t("As it is to be read: 1900–1950.")} />
    </FormDialog>
  );
}

interface Given {
  title: string;
  level: string;
  date: string;
}

export function componentOf(
  { title, level, date }: Given,
  root: string,
  { parent, position }: Place,
) {
  return {
    jsonmodel_type: "archival_object",
    title,
    level,
    position,
    resource: { ref: root },
    ...(kindOf(parent) === "archival_objects" && { parent: { ref: parent } }),
    dates: date
      ? [{ jsonmodel_type: "date", label: "creation", date_type: "inclusive", expression: date }]
      : [],
  };
}

function childOf(uri: string, { title, level, date }: Given): TreeChild {
  return {
    uri,
    title,
    level,
    child_count: 0,
    suppressed: false,
    has_digital_instance: false,
    identifier: null,
    dates: date ? [{ expression: date }] : [],
  };
}
