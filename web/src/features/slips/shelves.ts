/** What staff fetch from the shelves of a service point and search for there, as lists to print. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  listCirculationSettings,
  listPickSlips,
  listSearchSlips,
  logPrinted,
} from "../../api/endpoints";
import type { CirculationSetting, SlipContext } from "../../api/types";

const pickSlips = (servicePointId: string) =>
  queryOptions({
    queryKey: ["pick-slips", servicePointId],
    queryFn: () => listPickSlips(servicePointId),
    gcTime: 0, // the shelves change, so nothing is cached
  });

const searchSlips = (servicePointId: string, enabled: boolean) =>
  queryOptions({
    queryKey: ["search-slips", servicePointId],
    queryFn: () => listSearchSlips(servicePointId),
    gcTime: 0,
    enabled,
  });

const SEARCHES = "PRINT_HOLD_REQUESTS";
const LOG = "printEventLogFeature";

const settings = queryOptions({
  queryKey: ["slip-settings"],
  queryFn: async () => slipSettings(await listCirculationSettings([SEARCHES, LOG])),
  staleTime: Infinity,
});

export interface SlipSettings {
  /** Whether the library prints search slips for holds. */
  searches: boolean;
  /** Whether the library records printed pick slips. */
  logs: boolean;
}

/** The library's settings; FOLIO writes a switch as a boolean or as text. */
export function slipSettings(settings: readonly CirculationSetting[]): SlipSettings {
  const isOn = (name: string, member: string) => {
    const value = settings.find((setting) => setting.name === name)?.value?.[member];
    return value === true || value === "true";
  };
  return {
    searches: isOn(SEARCHES, "printHoldRequestsEnabled"),
    logs: isOn(LOG, "enablePrintLog"),
  };
}

export function useShelves(servicePointId: string) {
  const { data } = useQuery(settings);
  const searches = data?.searches ?? false;
  return {
    picks: useQuery(pickSlips(servicePointId)),
    searches: useQuery(searchSlips(servicePointId, searches)),
    hasSearches: searches,
    logs: data?.logs ?? false,
  };
}

interface Printer {
  userId: string;
  username: string;
}

/** Records printed slips. Staff cannot do anything about a failure here, so it is not shown. */
export async function logPicks(slips: readonly SlipContext[], { userId, username }: Printer) {
  const requestIds = slips.flatMap(({ request }) => request?.requestID ?? []);
  await logPrinted({
    requestIds: [...new Set(requestIds)],
    requesterId: userId,
    requesterName: username,
    printEventDate: new Date().toISOString(),
  }).catch(() => undefined);
}
