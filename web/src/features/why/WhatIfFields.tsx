/** "What if": another patron group, material type, loan type or location. */
import type { Explained, WhatIf } from "../../api/why";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { type ReferenceName, useReferences } from "../records/references";
import styles from "./why.module.css";

interface Props {
  /** The facts of the last answer. */
  facts: Explained["facts"];
  whatIf: WhatIf;
  onChange: (whatIf: WhatIf) => void;
}

interface Field {
  member: keyof WhatIf;
  from: ReferenceName;
  fact: keyof Explained["facts"];
  label: string;
}

/** The choice that tries nothing. */
const AS_IT_IS = "as-it-is";

export function WhatIfFields({ facts, whatIf, onChange }: Props) {
  const fields: Field[] = [
    { member: "patronGroupId", from: "groups", fact: "patronGroup", label: t("Patron group") },
    {
      member: "materialTypeId",
      from: "material-types",
      fact: "materialType",
      label: t("Material type"),
    },
    { member: "loanTypeId", from: "loan-types", fact: "loanType", label: t("Loan type") },
    { member: "locationId", from: "locations", fact: "location", label: t("Location") },
  ];
  const references = useReferences(fields.map(({ from }) => from));
  const choose = (member: keyof WhatIf, id: string) => {
    const { [member]: _, ...others } = whatIf;
    onChange(id === AS_IT_IS ? others : { ...others, [member]: id });
  };
  return (
    <fieldset className={styles.whatIf}>
      <legend>{t("What if it were another…")}</legend>
      {fields.map(({ member, from, fact, label }) => (
        <SelectField
          key={member}
          label={label}
          value={whatIf[member] ?? AS_IT_IS}
          options={[
            { id: AS_IT_IS, label: t("As it is") },
            ...references.choices(from).map(({ id, name }) => ({ id, label: name })),
          ]}
          onChange={(id) => choose(member, id)}
          description={facts[fact]?.name ?? undefined}
        />
      ))}
    </fieldset>
  );
}
