/** Shows a page of the desk only to a signed-in user who has chosen a service point. */
import { Outlet } from "@tanstack/react-router";
import { ServicePointPage } from "../features/service-points/ServicePointPage";
import { ExpiredSession } from "../features/session/ExpiredSession";
import { SignInPage } from "../features/session/SignInPage";
import { useSession } from "../features/session/session";

export function Desk() {
  const session = useSession();
  if (!session) return <SignInPage />;
  return (
    <>
      {session.expired && <ExpiredSession session={session} />}
      {session.servicePoint ? <Outlet /> : <ServicePointPage session={session} />}
    </>
  );
}
