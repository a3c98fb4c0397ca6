/** The library's templates of staff slips. They are read once for each session, not for each slip. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { listStaffSlips } from "../../api/endpoints";
import type { StaffSlip } from "../../api/types";
import { isBlank } from "./fill";

/** The slips of FOLIO, which are found by their names. */
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
  /** The template of a slip that the library uses; none while they are being read. */
  templateOf: (name: SlipName) => string | undefined;
  isKnown: boolean;
  error: unknown;
}

export function useSlipTemplates(): SlipTemplates {
  const { data, error } = useQuery(staffSlips);
  const templateOf = (name: SlipName) => usedTemplate(data?.staffSlips ?? [], name);
  return { templateOf, isKnown: data !== undefined, error };
}

/** The template of that name, if it is active and prints something. */
export function usedTemplate(slips: readonly StaffSlip[], name: SlipName): string | undefined {
  const isNamed = (slip: StaffSlip) => slip.name.toLowerCase() === name.toLowerCase();
  const template = slips.find((slip) => isNamed(slip) && slip.active !== false)?.template;
  return template && !isBlank(template) ? template : undefined;
}
