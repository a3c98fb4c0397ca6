/** The token for the figures of a protected installation, kept until the page is closed or read anew. */
import { Store, useStore } from "../../lib/store";

const store = new Store("");

export const useMetricsToken = (): [string, (token: string) => void] => [
  useStore(store),
  (token) => store.set(token),
];
