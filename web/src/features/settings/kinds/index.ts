/** All kinds of records that the settings keep, in the groups of the menu. */
import { msg } from "../../../lib/i18n";
import type { Kind } from "../../records/kind";
import { LOST_ITEM_POLICIES, OVERDUE_POLICIES } from "./finePolicies";
import { CALENDARS, SCHEDULES } from "./hours";
import { LOAN_POLICIES } from "./loanPolicies";
import { NOTICE_POLICIES } from "./noticePolicies";
import { BLOCK_CONDITIONS, BLOCK_LIMITS, GROUPS } from "./patrons";
import { CAMPUSES, INSTITUTIONS, LIBRARIES, LOCATIONS, SERVICE_POINTS } from "./places";
import { REQUEST_POLICIES } from "./requestPolicies";
import { NOTICE_TEMPLATES, STAFF_SLIPS } from "./templates";
import { CANCELLATION_REASONS, LOAN_TYPES, MATERIAL_TYPES } from "./types";

export interface KindGroup {
  title: string;
  kinds: readonly Kind[];
}

export const KIND_GROUPS: readonly KindGroup[] = [
  {
    title: msg("Policies"),
    kinds: [
      LOAN_POLICIES,
      REQUEST_POLICIES,
      OVERDUE_POLICIES,
      LOST_ITEM_POLICIES,
      NOTICE_POLICIES,
      SCHEDULES,
    ],
  },
  {
    title: msg("Places and hours"),
    kinds: [CALENDARS, SERVICE_POINTS, INSTITUTIONS, CAMPUSES, LIBRARIES, LOCATIONS],
  },
  { title: msg("Patrons"), kinds: [GROUPS, BLOCK_CONDITIONS, BLOCK_LIMITS] },
  { title: msg("Types"), kinds: [LOAN_TYPES, MATERIAL_TYPES, CANCELLATION_REASONS] },
  { title: msg("Slips and notices"), kinds: [STAFF_SLIPS, NOTICE_TEMPLATES] },
];

export function kindOf(id: string): Kind | undefined {
  return KIND_GROUPS.flatMap(({ kinds }) => kinds).find((kind) => kind.id === id);
}
