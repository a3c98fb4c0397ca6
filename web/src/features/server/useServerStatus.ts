import { useQuery } from "@tanstack/react-query";
import { getServerStatus } from "../../api/endpoints";
import type { ServerStatus } from "../../api/types";

/** The server's status, once it has loaded. */
export function useServerStatus(): ServerStatus | undefined {
  return useQuery({ queryKey: ["server-status"], queryFn: getServerStatus, staleTime: 60_000 })
    .data;
}
