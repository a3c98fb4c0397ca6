/** Relationships between proxies and sponsors. */
import type { ProxyRelation } from "../../api/patrons";
import { isPast } from "./patron";

/** Whether the proxy may act for the sponsor now. */
export function isProxyInForce({ status, expirationDate }: ProxyRelation, now: Date): boolean {
  return status !== "Inactive" && !isPast(expirationDate, now);
}
