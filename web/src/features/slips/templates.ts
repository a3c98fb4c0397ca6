/** The library's staff slip templates, loaded once per session. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { listStaffSlips } from "../../api/endpoints";
import type { StaffSlip } from "../../api/types";
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
  isKnown: boolean;
  error: unknown;
}

export function useSlipTemplates(): SlipTemplates {
  const { data, error } = useQuery(staffSlips);
  const templateOf = (name: SlipName) => usedTemplate(data?.staffSlips ?? [], name);
  return { templateOf, isKnown: data !== undefined, error };
}

/** The template with this name, if it is active and not empty. */
export function usedTemplate(slips: readonly StaffSlip[], name: SlipName): string | undefined {
  const isNamed = (slip: StaffSlip) => slip.name?.toLowerCase() === name.toLowerCase();
  const template = slips.find((slip) => isNamed(slip) && slip.active !== false)?.template;
  return template && !isBlank(template) ? template : undefined;
}
