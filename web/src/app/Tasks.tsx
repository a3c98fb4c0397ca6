import { Link, useNavigate } from "@tanstack/react-router";
import { useAltDigit } from "../lib/shortcuts";
import { Keys } from "../ui/Button";
import styles from "./Shell.module.css";

/** The links to the tasks of a desk, with their shortcuts. */
export function Tasks() {
  const navigate = useNavigate();
  useAltDigit(1, () => void navigate({ to: "/check-out" }));
  useAltDigit(2, () => void navigate({ to: "/check-in" }));
  useAltDigit(6, () => void navigate({ to: "/slips" }));
  return (
    <nav className={styles.tasks} aria-label="Tasks">
      <Link to="/check-out" className={styles.task ?? ""} aria-keyshortcuts="Alt+1">
        Check out <Keys>Alt 1</Keys>
      </Link>
      <Link to="/check-in" className={styles.task ?? ""} aria-keyshortcuts="Alt+2">
        Check in <Keys>Alt 2</Keys>
      </Link>
      <Link to="/slips" className={styles.task ?? ""} aria-keyshortcuts="Alt+6">
        Slips <Keys>Alt 6</Keys>
      </Link>
    </nav>
  );
}
