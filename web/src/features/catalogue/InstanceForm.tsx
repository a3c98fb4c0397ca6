import { t } from "../../lib/i18n";
import { EditPage, useId } from "./EditPage";
import { INSTANCES, readInstance } from "./editing";
import { INSTANCE_SECTIONS, NEW_INSTANCE } from "./forms/instance";

/** A new instance, or with an id in the address a stored one. */
export default function InstanceForm() {
  const id = useId();
  return (
    <EditPage
      key={id}
      waiting={t("Instance")}
      title={({ title }) => (id ? t("Edit {title}", { title: String(title) }) : t("New instance"))}
      sections={INSTANCE_SECTIONS}
      queryKey={["instance", id]}
      read={() => (id ? readInstance(id) : Promise.resolve(NEW_INSTANCE))}
      isStored={id !== ""}
      path={INSTANCES}
      needs={id ? "PUT /inventory/instances/{id}" : "POST /inventory/instances"}
      pageOf={(_, id) => (id ? `/catalogue/instances/${id}` : "/catalogue")}
    />
  );
}
