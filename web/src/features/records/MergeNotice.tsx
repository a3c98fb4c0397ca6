import { t } from "../../lib/i18n";
import { Notice } from "../../ui/Notice";
import type { Field } from "./kind";
import type { Merged } from "./merge";

interface Props {
  merged: Merged;
  fields: readonly Field[];
}

/** Says what somebody else changed, after it was brought into the form. */
export function MergeNotice({ merged, fields }: Props) {
  const names = (members: readonly string[]) =>
    members.map((member) => labelOf(member, fields)).join(", ");
  return (
    <Notice look="warning" role="alert">
      <p>
        {merged.theirs.length > 0
          ? t("Brought in what somebody else changed: {fields}.", { fields: names(merged.theirs) })
          : t("The record was saved by somebody else, without other values.")}
      </p>
      {merged.both.length > 0 && (
        <p>
          {t("You changed these as well, and yours are kept: {fields}.", {
            fields: names(merged.both),
          })}
        </p>
      )}
      <p>{t("Look it over, then save.")}</p>
    </Notice>
  );
}

/** The label of the first field within a member. */
function labelOf(member: string, fields: readonly Field[]): string {
  const field = fields.find(({ path }) => path === member || path.startsWith(`${member}.`));
  return field ? t(field.label) : member;
}
