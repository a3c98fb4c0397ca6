/** The frame of every page: warnings, title, tasks, user and service point. */
import { Link, Outlet } from "@tanstack/react-router";
import { DeskQueuesProvider } from "../features/scanning/deskQueues";
import { OpenTenantsWarning } from "../features/server/OpenTenantsWarning";
import { useServerStatus } from "../features/server/useServerStatus";
import { type Session, useSession } from "../features/session/session";
import { LiveRegion } from "../ui/LiveRegion";
import styles from "./Shell.module.css";
import { Tasks } from "./Tasks";
import { WhoAndWhere } from "./WhoAndWhere";

export function Shell() {
  const session = useSession();
  if (!session) return <Frame />;
  return (
    <DeskQueuesProvider key={`${session.tenant} ${session.userId}`} isExpired={session.expired}>
      <Frame session={session} />
    </DeskQueuesProvider>
  );
}

function Frame({ session }: { session?: Session }) {
  return (
    <div className={styles.shell}>
      <OpenTenantsWarning />
      <header className={styles.header}>
        <Link to="/" className={styles.name ?? ""}>
          Carrel
        </Link>
        {session?.servicePoint && <Tasks />}
        {session && <WhoAndWhere session={session} />}
      </header>
      <div className={styles.content}>
        <Outlet />
      </div>
      <Footer />
      <LiveRegion />
    </div>
  );
}

function Footer() {
  const version = useServerStatus()?.version;
  return (
    <footer className={styles.footer}>
      {version && <span>Carrel {version}</span>}
      <Link to="/api">API</Link>
    </footer>
  );
}
