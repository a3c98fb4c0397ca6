/** The menu of the settings. */
import { Link } from "react-aria-components";
import { t } from "../../lib/i18n";
import { Section } from "../../ui/Detail";
import { Page } from "../../ui/Page";
import { KIND_GROUPS } from "./kinds";
import styles from "./settings.module.css";

export default function SettingsPage() {
  return (
    <Page title={t("Settings")}>
      <div className={styles.groups}>
        <Section title={t("Circulation rules")}>
          <p>
            <Link href="/settings/circulation-rules">{t("Edit the circulation rules")}</Link>
          </p>
        </Section>
        {KIND_GROUPS.map(({ title, kinds }) => (
          <Section key={title} title={t(title)}>
            <ul className={styles.links}>
              {kinds.map(({ id, title }) => (
                <li key={id}>
                  <Link href={`/settings/${id}`}>{t(title)}</Link>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </Page>
  );
}
