import { useState } from "react";
import { useUnansweredScans } from "../features/scanning/deskQueues";
import { leaveServicePoint, type Session, signOut } from "../features/session/session";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/FormDialog";
import styles from "./Shell.module.css";

/** The service point and the user, with the means to change either. */
export function WhoAndWhere({ session }: { session: Session }) {
  const { servicePoint, username, tenant } = session;
  return (
    <div className={styles.who}>
      {servicePoint && (
        <Button
          look="quiet"
          onPress={leaveServicePoint}
          aria-label={`Service point ${servicePoint.name}: change`}
        >
          {servicePoint.name}
        </Button>
      )}
      <span className={styles.user}>
        {username} at {tenant}
      </span>
      <SignOut />
    </div>
  );
}

/** Asks for confirmation if signing out would lose scans. */
function SignOut() {
  const unanswered = useUnansweredScans();
  const [isAsking, setAsking] = useState(false);
  const leave = () => void signOut();
  return (
    <>
      <Button look="quiet" onPress={() => (unanswered > 0 ? setAsking(true) : leave())}>
        Sign out
      </Button>
      {isAsking && (
        <FormDialog
          title="Scans are waiting"
          submitLabel="Sign out"
          onSubmit={leave}
          onCancel={() => setAsking(false)}
        >
          <p>
            {unanswered} of your scans have no answer yet. Signing out drops them: these items are
            not checked out or in.
          </p>
        </FormDialog>
      )}
    </>
  );
}
