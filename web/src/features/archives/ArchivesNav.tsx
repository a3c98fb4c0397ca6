/** The chosen repository and the lists of the archives, above each of their pages. */
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import styles from "./Archives.module.css";
import { numberOf } from "./addresses";
import { KIND_NAMES, KINDS } from "./lists/kinds";
import { repositories } from "./queries";
import { chooseRepository, repositoryName, useChosenRepository } from "./useRepository";

/** `open` is the list that is shown, if it is one of them. */
export function ArchivesNav({ open }: { open?: string }) {
  return (
    <nav className={styles.nav} aria-label={t("Archives")}>
      {KIND_NAMES.map((kind) => (
        <Link
          key={kind}
          to="/archives"
          search={(kind === "resources" ? {} : { kind }) as never}
          className={styles.navLink ?? ""}
          aria-current={open === kind ? "page" : undefined}
          // The router would take the list without a kind for current on every page of the archives.
          activeOptions={{ exact: true }}
        >
          {t(KINDS[kind].label)}
        </Link>
      ))}
      <Link
        to={"/archives/jobs" as never}
        className={styles.navLink ?? ""}
        aria-current={open === "jobs" ? "page" : undefined}
      >
        {t("Imports and jobs")}
      </Link>
    </nav>
  );
}

export function RepositoryField() {
  const client = useQueryClient();
  const { data = [], current } = useChosenRepository();
  const choose = (uri: string) => {
    chooseRepository(numberOf(uri));
    void client.invalidateQueries({ queryKey: repositories.queryKey });
  };
  if (data.length < 2) return null;
  return (
    <SelectField
      label={t("Repository")}
      options={data.map((one) => ({ id: one.uri, label: repositoryName(one) }))}
      value={current?.uri}
      onChange={choose}
    />
  );
}
