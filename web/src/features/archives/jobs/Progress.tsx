import { Label, ProgressBar } from "react-aria-components";
import styles from "../Archives.module.css";

/** How far something is; without a part nobody can tell. */
export function Progress({ label, part }: { label: string; part?: number | undefined }) {
  return (
    <ProgressBar
      className={styles.bar ?? ""}
      {...(part === undefined ? { isIndeterminate: true } : { value: Math.round(part * 100) })}
    >
      {({ valueText }) => (
        <>
          <div className={styles.row}>
            <Label>{label}</Label>
            {part !== undefined && <span>{valueText}</span>}
          </div>
          {part !== undefined && (
            <div className={styles.track}>
              <div className={styles.fill} style={{ width: `${Math.round(part * 100)}%` }} />
            </div>
          )}
        </>
      )}
    </ProgressBar>
  );
}
