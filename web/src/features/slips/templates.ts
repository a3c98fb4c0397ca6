/** The library's staff slip templates, loaded once per session. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { listStaffSlips } from "../../api/endpoints";
import type { StaffSlip } from "../../api/types";
import { t } from "../../lib/i18n";
import { isBlank } from "./fill";

/** FOLIO's slips, identified by name. */
export type SlipName =
  | "Hold"
  | "Transit"
  | "Request delivery"
  | "Pick slip"
  | "Search slip (Hold requests)"
  | "Due date receipt";

const staffSlips = queryOptions({
  queryKey: ["staff-slips"],
  queryFn: listStaffSlips,
  staleTime: Infinity,
  gcTime: Infinity,
});

export interface SlipTemplates {
  /** The library's template for a slip; undefined while loading. */
  templateOf: (name: SlipName) => string | undefined;
  /** The id of the library's slip with this name. */
  idOf: (name: SlipName) => string | undefined;
  isKnown: boolean;
  error: unknown;
}

export function useSlipTemplates(): SlipTemplates {
  const { data, error } = useQuery(staffSlips);
  const templateOf = (name: SlipName) => usedTemplate(data?.staffSlips ?? [], name);
  const idOf = (name: SlipName) => usedSlip(data?.staffSlips ?? [], name)?.id;
  return { templateOf, idOf, isKnown: data !== undefined, error };
}

/** The template with this name, if it is active and not empty. */
export function usedTemplate(slips: readonly StaffSlip[], name: SlipName): string | undefined {
  return usedSlip(slips, name)?.template;
}

function usedSlip(slips: readonly StaffSlip[], name: SlipName): StaffSlip | undefined {
  const isNamed = (slip: StaffSlip) => slip.name?.toLowerCase() === name.toLowerCase();
  const slip = slips.find((slip) => isNamed(slip) && slip.active !== false);
  return slip?.template && !isBlank(slip.template) ? slip : undefined;
}

/** Why there is nothing to print. */
export const noTemplate = (name: SlipName): string =>
  t(
    "The library has no active staff slip with a text that is named “{name}”, so there is nothing to print.",
    { name },
  );
