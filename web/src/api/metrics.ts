/** The server's metrics, outside FOLIO's API. */
import { ConnectionLostError, RefusedError } from "./errors";

/** In the text format of Prometheus; `token` is the installation's `metrics_token`, if it has one. */
export async function getMetrics(token: string): Promise<string> {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const response = await fetch("/metrics", { headers }).catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  const text = await response.text();
  if (!response.ok) throw new RefusedError(response.status, [{ message: text.trim() }]);
  return text;
}
