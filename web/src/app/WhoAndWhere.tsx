import { leaveServicePoint, type Session, signOut } from "../features/session/session";
import { Button } from "../ui/Button";
import styles from "./Shell.module.css";

/** The service point and the user, and how to change either. */
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
      <Button look="quiet" onPress={() => void signOut()}>
        Sign out
      </Button>
    </div>
  );
}
