import { useQuery } from "@tanstack/react-query";
import { getServerStatus } from "../../api/endpoints";
import type { ServerStatus } from "../../api/types";

/** What the server says about itself, once it has. */
export function useServerStatus(): ServerStatus | undefined {
  return useQuery({ queryKey: ["server-status"], queryFn: getServerStatus, staleTime: 60_000 })
    .data;
}
