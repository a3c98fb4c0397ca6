/** The server's metrics, outside FOLIO's API, and what else it tells only those who may read them. */
import { ConnectionLostError, RefusedError } from "./errors";

/** In the text format of Prometheus. */
export const getMetrics = async (token: string): Promise<string> =>
  (await measured("/metrics", token)).text();

/** Asks with the installation's `metrics_token`, if it has one. */
export async function measured(path: string, token: string): Promise<Response> {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const response = await fetch(path, { headers }).catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  if (response.ok) return response;
  throw new RefusedError(response.status, [{ message: (await response.text()).trim() }]);
}
