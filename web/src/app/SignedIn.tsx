/** Shows a page only to a signed-in user; after the session has ended, the page stays and waits. */
import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { ExpiredSession } from "../features/session/ExpiredSession";
import { SignInPage } from "../features/session/SignInPage";
import { useSession } from "../features/session/session";
import { loadWhatMustBeAtHand } from "../ui/later";

/** In milliseconds; Safari does not say when it is idle. */
const IDLE_WITHOUT_A_SIGN = 2000;

export function SignedIn() {
  const session = useSession();
  const isSignedIn = session !== undefined;
  useEffect(() => (isSignedIn ? whenIdle(loadWhatMustBeAtHand) : undefined), [isSignedIn]);
  if (!session) return <SignInPage />;
  return (
    <>
      {session.ended && <ExpiredSession session={session} ended={session.ended} />}
      <Outlet />
    </>
  );
}

/** Does it when the browser has nothing better to do; returns how to call it off. */
function whenIdle(work: () => Promise<void>): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(() => void work(), IDLE_WITHOUT_A_SIGN);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(() => void work());
  return () => cancelIdleCallback(waiting);
}
