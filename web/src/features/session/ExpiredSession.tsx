import { useEffect, useState } from "react";
import { useActions } from "../../lib/actions";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { Button } from "../../ui/Button";
import { later } from "../../ui/later";
import { Notice } from "../../ui/Notice";
import { useUnansweredScans } from "../scanning/deskQueues";
import styles from "./ExpiredSession.module.css";
import { type Ended, leave, type Session, signOut } from "./session";

const SignInAgainDialog = later(() => import("./SignInAgainDialog").then((file) => file.default), {
  isAtHand: true,
});
const LeaveDialog = later(() => import("./LeaveDialog").then((file) => file.default), {
  isAtHand: true,
});

interface Props {
  session: Session;
  ended: Ended;
}

/**
 * Offers to sign in again when the session is over; the work stays on the page. The dialog opens only on request:
 * otherwise a scanner would type barcodes as passwords and lock the account.
 */
export function ExpiredSession({ session, ended }: Props) {
  const [asked, setAsked] = useState<"sign-in" | "leave">();
  const unanswered = useUnansweredScans();
  useLeaveWithTheOtherTabs(ended, unanswered);
  const close = () => setAsked(undefined);
  const ask = () => setAsked("sign-in");
  const goOn = () => void signOut();
  useActions([
    { label: t("Sign in again…"), keys: KEYS.signInAgain, run: ask, duringDialogs: true },
  ]);
  return (
    <Notice look="danger" role="alert">
      <p>{whatHappened(ended)}</p>
      <div className={styles.ways}>
        <Button onPress={ask} keys={KEYS.signInAgain} aria-keyshortcuts={KEYS.signInAgain}>
          {t("Sign in again…")}
        </Button>
        {ended.because === "replaced" && (
          <Button look="quiet" onPress={() => (unanswered > 0 ? setAsked("leave") : goOn())}>
            {t("Go on as {name}", { name: ended.by })}
          </Button>
        )}
      </div>
      {asked === "sign-in" && <SignInAgainDialog session={session} onCancel={close} />}
      {asked === "leave" && (
        <LeaveDialog unanswered={unanswered} onConfirm={goOn} onCancel={close} />
      )}
    </Notice>
  );
}

function whatHappened(ended: Ended): string {
  switch (ended.because) {
    case "replaced":
      return t(
        "{name} has signed in from another tab of this browser. What you scan and type is kept; it goes on when you sign in again, and the other tab then waits.",
        { name: ended.by },
      );
    case "signed-out":
      return t(
        "You have signed out in another tab. What you scan and type is kept; it goes on as soon as you have signed in again.",
      );
    case "expired":
      return t(
        "Your session has expired. What you scan and type is kept; it goes on as soon as you have signed in again.",
      );
  }
}

/** After a sign-out in another tab, nothing of patrons stays on the screen; only unanswered scans keep a tab waiting. */
function useLeaveWithTheOtherTabs({ because }: Ended, unanswered: number): void {
  useEffect(() => {
    if (because === "signed-out" && unanswered === 0) leave();
  }, [because, unanswered]);
}
