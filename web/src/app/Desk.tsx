/** Lets a page of the desk through when somebody is signed in and has said where they work. */
import { Outlet } from "@tanstack/react-router";
import { DeskQueuesProvider } from "../features/scanning/deskQueues";
import { ServicePointPage } from "../features/service-points/ServicePointPage";
import { ExpiredSession } from "../features/session/ExpiredSession";
import { SignInPage } from "../features/session/SignInPage";
import { useSession } from "../features/session/session";

export function Desk() {
  const session = useSession();
  if (!session) return <SignInPage />;
  return (
    <DeskQueuesProvider key={`${session.tenant} ${session.userId}`} isExpired={session.expired}>
      {session.expired && <ExpiredSession session={session} />}
      {session.servicePoint ? <Outlet /> : <ServicePointPage session={session} />}
    </DeskQueuesProvider>
  );
}
