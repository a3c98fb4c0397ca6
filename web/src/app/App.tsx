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

/** Retries only lost connections; repeating a refused call gives the same refusal. */
function createQueryClient(): QueryClient {
  const retry = (failures: number, error: Error) =>
    failures < 2 && error instanceof ConnectionLostError;
  return new QueryClient({ defaultOptions: { queries: { retry, refetchOnWindowFocus: false } } });
}

/** Drops cached data when the user changes, and repeats what failed with an expired token. */
function FreshAfterSignIn({ client }: { client: QueryClient }) {
  const token = useSession()?.token;
  const readWith = useRef(token);
  useEffect(() => {
    if (token === readWith.current) return;
    readWith.current = token;
    void client.resetQueries();
  }, [client, token]);
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
