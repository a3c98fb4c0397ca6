/** "What if": another patron group, material type, loan type or location, or the end of a claim. */
import type { Explained, WhatIf } from "../../api/why";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { RESOLUTIONS } from "../check-in/resolutions";
import { type ReferenceName, useReferences } from "../records/references";
import type { Tried } from "./tried";
import styles from "./why.module.css";

interface Props {
  /** What there is to try. */
  tried: readonly Tried[];
  /** The facts of the last answer. */
  facts: Explained["facts"];
  whatIf: WhatIf;
  onChange: (whatIf: WhatIf) => void;
}

interface Field {
  member: Exclude<Tried, "claimedReturnedResolution">;
  from: ReferenceName;
  fact: keyof Explained["facts"];
  label: string;
}

interface Choice {
  id: string;
  label: string;
}

/** The choice that tries nothing. */
const AS_IT_IS = "as-it-is";

export function WhatIfFields({ tried, facts, whatIf, onChange }: Props) {
  const all: Field[] = [
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
  const fields = all.filter(({ member }) => tried.includes(member));
  const references = useReferences(fields.map(({ from }) => from));
  if (tried.length === 0) return null;
  const choose = (member: Tried, id: string) => {
    const { [member]: _, ...others } = whatIf;
    onChange(id === AS_IT_IS ? others : { ...others, [member]: id });
  };
  const choice = (
    member: Tried,
    label: string,
    choices: readonly Choice[],
    fact?: string | null,
  ) => (
    <SelectField
      key={member}
      label={label}
      value={whatIf[member] ?? AS_IT_IS}
      options={[{ id: AS_IT_IS, label: t("As it is") }, ...choices]}
      onChange={(id) => choose(member, id)}
      description={fact ?? undefined}
    />
  );
  return (
    <fieldset className={styles.whatIf}>
      <legend>{t("What if it were another…")}</legend>
      {fields.map(({ member, from, fact, label }) => {
        const choices = references.choices(from).map(({ id, name }) => ({ id, label: name }));
        return choice(member, label, choices, facts[fact]?.name);
      })}
      {tried.includes("claimedReturnedResolution") &&
        choice(
          "claimedReturnedResolution",
          t("End of the claim"),
          RESOLUTIONS.map(({ name, label }) => ({ id: name, label: t(label) })),
        )}
    </fieldset>
  );
}
