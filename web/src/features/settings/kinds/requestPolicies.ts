/** Request policies (docs/folio/policies.md#request-policies). */
import { msg } from "../../../lib/i18n";
import type { Choice, Field, Kind } from "../../records/kind";
import { textsAt } from "../../records/values";
import { DESCRIPTION, NAME } from "./common";

const TYPES: readonly Choice[] = [
  { id: "Hold", name: msg("Hold") },
  { id: "Page", name: msg("Page") },
  { id: "Recall", name: msg("Recall") },
];

const pickup = (type: string, label: string): Field => ({
  as: "choices",
  path: `allowedServicePoints.${type}`,
  label,
  hint: msg("None chosen means all pickup service points."),
  from: "pickup-service-points",
  when: (record) => textsAt(record, "requestTypes").includes(type),
});

export const REQUEST_POLICIES: Kind = {
  id: "request-policies",
  title: msg("Request policies"),
  one: msg("request policy"),
  path: "/request-policy-storage/request-policies",
  list: "requestPolicies",
  affects: ["request-policies"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Types"), path: "requestTypes" },
    { label: msg("Description"), path: "description" },
  ],
  blank: { requestTypes: [] },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        DESCRIPTION,
        {
          as: "choices",
          path: "requestTypes",
          label: msg("Types that patrons may request"),
          from: TYPES,
        },
      ],
    },
    {
      title: msg("Pickup service points"),
      fields: [
        pickup("Hold", msg("For holds")),
        pickup("Page", msg("For pages")),
        pickup("Recall", msg("For recalls")),
      ],
    },
  ],
};
