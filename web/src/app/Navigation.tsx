/** The links to the areas and to the pages of the current one. */
import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { useId, useState } from "react";
import { t } from "../lib/i18n";
import { keysInWords } from "../lib/keys";
import { Button, Keys } from "../ui/Button";
import { type Area, areaOf, isUnder, shownAreas } from "./areas";
import styles from "./Navigation.module.css";

/** On a narrow screen, all links are behind one button. */
export function Navigation() {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const areas = useShownAreas();
  const current = areaOf(areas, path);
  const close = () => setOpen(false);
  return (
    <>
      <div className={styles.opener}>
        <Button onPress={() => setOpen(!isOpen)} aria-expanded={isOpen} aria-controls={id}>
          {t("Menu")}
        </Button>
      </div>
      <div id={id} className={styles.links} data-open={isOpen || undefined}>
        <nav className={styles.areas} aria-label={t("Areas")}>
          {areas.map((area) => (
            <PageLink key={area.path} page={area} isCurrent={area === current} onFollow={close} />
          ))}
        </nav>
        {current?.pages && (
          <nav className={styles.pages} aria-label={t("Tasks")}>
            {current.pages.map((page) => (
              <PageLink
                key={page.path}
                page={page}
                isCurrent={isUnder(path, page.path)}
                showsKeys
                onFollow={close}
              />
            ))}
          </nav>
        )}
      </div>
    </>
  );
}

interface LinkProps {
  page: Area;
  isCurrent: boolean;
  showsKeys?: boolean;
  onFollow: () => void;
}

function PageLink({ page, isCurrent, showsKeys = false, onFollow }: LinkProps) {
  return (
    <Link
      to={page.path}
      className={styles.link ?? ""}
      data-current={isCurrent || undefined}
      aria-keyshortcuts={page.keys}
      onClick={onFollow}
    >
      {t(page.label)}
      {showsKeys && <Keys>{keysInWords(page.keys)}</Keys>}
    </Link>
  );
}

export function useShownAreas(): Area[] {
  const { routesByPath } = useRouter();
  return shownAreas((path) => Object.hasOwn(routesByPath, path));
}
