import { useState } from "react";
import type { Description, Instance } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import controls from "../../../ui/controls.module.css";
import { TextField } from "../../../ui/fields";
import { linkedTitle } from "../values";
import type { FormProps } from "./forms";
import { LinkField } from "./LinkField";
import { NewContainer } from "./NewContainer";
import { Parts } from "./Parts";
import { ValueField } from "./ValueField";

export function InstanceParts(props: FormProps<Description>) {
  const { mine, set, repository } = props;
  const [isAdding, setAdding] = useState(false);
  const instances = mine.instances ?? [];
  const add = (ref: string, title: string) => {
    set({ instances: [...instances, boxed(ref, title)] });
    setAdding(false);
  };
  const adding = (
    <div className={controls.form}>
      <LinkField
        key={instances.length}
        label={t("Add a top container")}
        repository={repository}
        types={["top_container"]}
        description={t("By its indicator, its barcode or its collection.")}
        onChange={add}
      />
      <div>
        <Button onPress={() => setAdding(true)}>{t("New top container…")}</Button>
      </div>
      {isAdding && (
        <NewContainer
          repository={repository}
          lists={props.lists}
          onAdded={add}
          onCancel={() => setAdding(false)}
        />
      )}
    </div>
  );
  return (
    <Parts
      name={t("Container")}
      parts={instances}
      onChange={(instances) => set({ instances })}
      adding={adding}
    >
      {(instance, change) => <InstanceFields {...props} instance={instance} change={change} />}
    </Parts>
  );
}

function boxed(ref: string, title: string): Instance {
  const top_container = {
    ref,
    _resolved: { uri: ref, jsonmodel_type: "top_container", lock_version: 0, title },
  };
  return {
    jsonmodel_type: "instance",
    instance_type: "mixed_materials",
    sub_container: { jsonmodel_type: "sub_container", top_container },
  };
}

interface FieldsProps extends FormProps<Description> {
  instance: Instance;
  change: (changes: Partial<Instance>) => void;
}

function InstanceFields({ instance, change, lists }: FieldsProps) {
  const { sub_container: container } = instance;
  if (!container) return <span>{linkedTitle(instance.digital_object)}</span>;
  const within = (changes: Partial<typeof container>) =>
    change({ sub_container: { ...container, ...changes } });
  return (
    <>
      <strong>{linkedTitle(container.top_container)}</strong>
      <div className={controls.fieldRow}>
        <ValueField
          label={t("Type of the material")}
          list={lists.instance_instance_type?.filter((type) => type !== "digital_object")}
          value={instance.instance_type}
          onChange={(instance_type) => change({ instance_type })}
        />
        <ValueField
          label={t("Within it: type")}
          list={lists.container_type}
          value={container.type_2}
          onChange={(type_2) => within({ type_2 })}
        />
        <TextField
          label={t("Within it: indicator")}
          value={container.indicator_2 ?? ""}
          onChange={(indicator_2) => within({ indicator_2 })}
        />
      </div>
    </>
  );
}
