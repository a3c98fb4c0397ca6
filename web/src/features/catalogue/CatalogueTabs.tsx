import { Link } from "@tanstack/react-router";
import { t } from "../../lib/i18n";
import styles from "./catalogue.module.css";
import { LISTS, type ListName } from "./lists";

/** The links between the search and the lists to browse. */
export function CatalogueTabs({ open }: { open: "search" | ListName }) {
  return (
    <nav className={styles.tabs} aria-label={t("Ways to search")}>
      <Link to="/catalogue" aria-current={open === "search" ? "page" : undefined}>
        {t("Search")}
      </Link>
      {LISTS.map(({ id, title }) => (
        <Link
          key={id}
          to="/catalogue/browse/$list"
          params={{ list: id }}
          aria-current={open === id ? "page" : undefined}
        >
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}
