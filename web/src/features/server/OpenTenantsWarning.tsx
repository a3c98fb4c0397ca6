import { Rich } from "../../lib/Rich";
import styles from "./OpenTenantsWarning.module.css";
import { useServerStatus } from "./useServerStatus";

/** Conspicuous on purpose: anyone can do anything in the libraries it names. */
export function OpenTenantsWarning() {
  if (!useServerStatus()?.openTenantsAllowed) return null;
  return (
    <div className={styles.warning} role="alert">
      <Rich
        text="<strong>This server allows open tenants.</strong> A library without mod-authtoken is served to everybody, without a password. Start Carrel without <code>--allow-open-tenants</code> unless this is a test."
        parts={{ strong: <strong />, code: <code /> }}
      />
    </div>
  );
}
