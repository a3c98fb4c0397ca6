import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { I18nProvider } from "react-aria-components";
import { ConnectionLostError } from "../api/errors";
import { useSession } from "../features/session/session";
import { useClock } from "../features/tenant/useClock";
import { router } from "./router";

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <FreshAfterSignIn client={client} />
      <InUsersLocale />
    </QueryClientProvider>
  );
}

/**
 * Retries only lost connections; repeating a refused call gives the same refusal. A browser without a network makes calls,
 * too, and says at once that they failed: otherwise they would wait without a word, and a charge would be made when nobody
 * expects it any more.
 */
function createQueryClient(): QueryClient {
  const retry = (failures: number, error: Error) =>
    failures < 2 && error instanceof ConnectionLostError;
  const networkMode = "always";
  return new QueryClient({
    defaultOptions: {
      queries: { retry, networkMode, refetchOnWindowFocus: false },
      mutations: { networkMode },
    },
  });
}

/** Drops cached data when the user changes, and reads again what failed while the page waited for its user. */
function FreshAfterSignIn({ client }: { client: QueryClient }) {
  const session = useSession();
  const user = session && `${session.tenant} ${session.userId}`;
  const readAs = useRef(user);
  useEffect(() => {
    if (user === readAs.current) return;
    readAs.current = user;
    void client.resetQueries();
  }, [client, user]);
  const isWaiting = session?.ended !== undefined;
  useEffect(() => {
    if (!isWaiting)
      void client.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  }, [client, isWaiting]);
  return null;
}

function InUsersLocale() {
  const { locale } = useClock();
  return (
    <I18nProvider locale={locale}>
      <RouterProvider router={router} />
    </I18nProvider>
  );
}
