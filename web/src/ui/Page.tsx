/** The frame of every page but the desk's: title, toolbar, content, and what stands beside it. */
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { usePageTitle } from "../lib/usePageTitle";
import styles from "./Page.module.css";

interface Props {
  title: string;
  /** Stands under the title: an identifier, a count. */
  subtitle?: ReactNode;
  /** The page that this one is reached from. */
  parent?: { to: string; search?: Record<string, string>; label: string };
  /** Actions on the whole page. */
  toolbar?: ReactNode;
  /** Facets before, or a panel after the content; below it on a narrow screen. */
  aside?: ReactNode;
  asideAt?: "start" | "end";
  children: ReactNode;
}

export function Page({ title, subtitle, parent, toolbar, aside, asideAt, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => takeFocus(heading.current), []);
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <div className={styles.titles}>
          {parent && (
            <Link to={parent.to} search={parent.search as never} className={styles.parent ?? ""}>
              {parent.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
        </div>
        {toolbar && <div className={styles.toolbar}>{toolbar}</div>}
      </div>
      {aside ? (
        <div className={styles.columns} data-aside={asideAt ?? "end"}>
          <div className={styles.body}>{children}</div>
          <aside className={styles.aside}>{aside}</aside>
        </div>
      ) : (
        children
      )}
    </main>
  );
}

/** After a link was followed, reading goes on at the new page; a field of the page that took the focus keeps it. */
function takeFocus(heading: HTMLElement | null): void {
  const main = heading?.closest("main");
  if (!main?.contains(document.activeElement)) heading?.focus({ preventScroll: true });
}
