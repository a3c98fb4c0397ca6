/** The frame of every page: warnings, areas, service point, user. */
import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { RouterProvider } from "react-aria-components";
import { DeskQueuesProvider } from "../features/scanning/deskQueues";
import { OpenTenantsWarning } from "../features/server/OpenTenantsWarning";
import { useServerStatus } from "../features/server/useServerStatus";
import { type Session, useSession } from "../features/session/session";
import { t, useLanguage } from "../lib/i18n";
import { LiveRegion } from "../ui/LiveRegion";
import { Commands } from "./Commands";
import { Navigation } from "./Navigation";
import { ServicePoint } from "./ServicePoint";
import styles from "./Shell.module.css";
import { UserMenu } from "./UserMenu";

export function Shell() {
  const session = useSession();
  const router = useRouter();
  const frame = <Frame key={useLanguage()} {...(session && { session })} />;
  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      {session ? (
        <DeskQueuesProvider
          key={`${session.tenant} ${session.userId}`}
          isWaiting={session.ended !== undefined}
        >
          {frame}
        </DeskQueuesProvider>
      ) : (
        frame
      )}
    </RouterProvider>
  );
}

/** Drawn anew in another language; the scans, which must not be lost, live outside it. */
function Frame({ session }: { session?: Session }) {
  return (
    <div className={styles.shell}>
      <OpenTenantsWarning />
      <header className={styles.header}>
        <Link to="/" className={styles.name ?? ""}>
          Carrel
        </Link>
        {session && <Navigation />}
        {session && (
          <div className={styles.who}>
            <Commands />
            <ServicePoint session={session} />
            <UserMenu session={session} />
          </div>
        )}
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
      <Link to="/api">{t("API")}</Link>
    </footer>
  );
}
