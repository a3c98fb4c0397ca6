/** The form of resources, components, accessions and digital objects. */
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Checkbox } from "../../../ui/choices";
import controls from "../../../ui/controls.module.css";
import { Section } from "../../../ui/Detail";
import { TextField } from "../../../ui/fields";
import { DateParts, ExtentParts } from "./DatesAndExtents";
import type { FormProps } from "./forms";
import { InstanceParts } from "./InstanceParts";
import { AgentLinks, SubjectLinks } from "./Links";
import { NoteParts } from "./NoteParts";
import { AccessionFields } from "./OtherForms";
import { ValueField } from "./ValueField";

export function DescriptionForm(props: FormProps<Description>) {
  const { mine, lists, set } = props;
  const kind = mine.jsonmodel_type;
  return (
    <>
      <Section title={t("Description")}>
        <TextField
          label={t("Title")}
          value={mine.title ?? ""}
          onChange={(title) => set({ title })}
          autoFocus
        />
        <div className={controls.fieldRow}>
          <Identifiers {...props} />
          {kind !== "accession" && (
            <ValueField
              label={t("Level")}
              list={lists.archival_record_level}
              value={mine.level}
              onChange={(level) => set({ level })}
            />
          )}
          {mine.level === "otherlevel" && (
            <TextField
              label={t("Other level")}
              value={mine.other_level ?? ""}
              onChange={(other_level) => set({ other_level })}
            />
          )}
        </div>
        <Checkbox
          label={t("Published")}
          isSelected={mine.publish ?? false}
          onChange={(publish) => set({ publish })}
        />
      </Section>
      {kind === "accession" && <AccessionFields {...props} />}
      <Section title={t("Dates")}>
        <DateParts {...props} />
      </Section>
      <Section title={t("Extents")}>
        <ExtentParts {...props} />
      </Section>
      {kind !== "accession" && (
        <Section title={t("Notes")}>
          <NoteParts {...props} />
        </Section>
      )}
      {kind !== "digital_object" && (
        <Section title={t("Containers")}>
          <InstanceParts {...props} />
        </Section>
      )}
      <Section title={t("Subjects")}>
        <SubjectLinks {...props} />
      </Section>
      <Section title={t("Agents")}>
        <AgentLinks {...props} />
      </Section>
    </>
  );
}

const ID_PARTS = ["id_0", "id_1", "id_2", "id_3"] as const;

function Identifiers({ mine, set }: FormProps<Description>) {
  switch (mine.jsonmodel_type) {
    case "archival_object":
      return (
        <TextField
          label={t("Component identifier")}
          value={mine.component_id ?? ""}
          onChange={(component_id) => set({ component_id })}
        />
      );
    case "digital_object":
      return (
        <TextField
          label={t("Identifier")}
          value={String(mine.digital_object_id ?? "")}
          onChange={(digital_object_id) => set({ digital_object_id })}
        />
      );
    default:
      return ID_PARTS.map((name, at) => (
        <TextField
          key={name}
          label={t("Identifier, part {number}", { number: at + 1 })}
          value={mine[name] ?? ""}
          onChange={(text) => set({ [name]: text })}
        />
      ));
  }
}
