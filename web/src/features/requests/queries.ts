import { queryOptions } from "@tanstack/react-query";
import { listRequestsOf } from "../../api/requests";
import { patronKey } from "../patrons/queries";

export const requestsOf = (userId: string, which: "Open" | "Closed") =>
  queryOptions({
    queryKey: [...patronKey(userId), "requests", which],
    queryFn: () => listRequestsOf(userId, which),
  });
