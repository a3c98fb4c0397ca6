/** Shows a page only to a signed-in user; after the session has ended, the page stays and waits. */
import { Outlet } from "@tanstack/react-router";
import { ExpiredSession } from "../features/session/ExpiredSession";
import { SignInPage } from "../features/session/SignInPage";
import { useSession } from "../features/session/session";

export function SignedIn() {
  const session = useSession();
  if (!session) return <SignInPage />;
  return (
    <>
      {session.ended && <ExpiredSession session={session} ended={session.ended} />}
      <Outlet />
    </>
  );
}
