import { Link } from "@tanstack/react-router";
import type { Reference } from "../../../api/archivesTypes";
import { pageOf } from "../addresses";
import { linkedTitle } from "../values";
import styles from "./Record.module.css";

interface LinkedProps {
  links: readonly Reference[];
  repository: number;
  detail?: (link: Reference) => string;
}

/** Links to other records, with something about each in brackets. */
export function Linked({ links, repository, detail }: LinkedProps) {
  return (
    <ul className={styles.items}>
      {links.map((link) => (
        <li key={`${link.ref} ${detail?.(link)}`}>
          <RecordLink link={link} repository={repository} />
          {detail && ` (${detail(link)})`}
        </li>
      ))}
    </ul>
  );
}

export function RecordLink({ link, repository }: { link: Reference; repository: number }) {
  return <Link to={pageOf(link.ref, repository) as never}>{linkedTitle(link)}</Link>;
}
