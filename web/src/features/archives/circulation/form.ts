/** The form for how the boxes of a repository circulate. */
import type { ContainerCirculation } from "../../../api/archivesTypes";
import { msg } from "../../../lib/i18n";
import type { Section } from "../../records/kind";
import type { Values } from "../../records/values";

const PLACES: Section = {
  title: msg("Where boxes are"),
  fields: [
    {
      as: "choice",
      path: "location_id",
      label: msg("Location"),
      hint: msg("Of the boxes that no building below names."),
      from: "locations",
      required: true,
    },
    {
      as: "rows",
      path: "buildings",
      label: msg("Locations by building"),
      hint: msg("A box is at the location of the building in which it stands in the archives."),
      one: msg("building"),
      blank: {},
      fields: [
        { as: "text", path: "building", label: msg("Building"), required: true },
        {
          as: "choice",
          path: "location_id",
          label: msg("Location"),
          from: "locations",
          required: true,
        },
      ],
    },
  ],
};

/** Types that the boxes have already cannot be taken away from them. */
const types = (isOn: boolean): Section => ({
  title: msg("What boxes are for the circulation rules"),
  fields: [
    {
      as: "choice",
      path: "material_type_id",
      label: msg("Material type"),
      from: "material-types",
      required: isOn,
      ...(!isOn && {
        hint: msg("Without one: archival container, which is made if it is missing."),
      }),
    },
    {
      as: "choice",
      path: "loan_type_id",
      label: msg("Loan type"),
      from: "loan-types",
      required: isOn,
      ...(!isOn && { hint: msg("Without one: Reading room, which is made if it is missing.") }),
    },
  ],
});

export const sectionsOf = (isOn: boolean): readonly Section[] => [PLACES, types(isOn)];

/** What is changed by the form; what else the server tells is about the boxes. */
export function settingsOf(circulation: ContainerCirculation | null): Values {
  if (!circulation) return { buildings: [] };
  const { location_id, material_type_id, loan_type_id, buildings } = circulation;
  return { location_id, material_type_id, loan_type_id, buildings };
}
