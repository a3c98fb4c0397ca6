import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import styles from "./Tabs.module.css";

interface Props {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
  /** The open tab, where the page keeps it, in its address for instance; otherwise the tabs keep it. */
  open?: string | undefined;
  onOpen?: (id: string) => void;
}

/** Parts of a page of which one is shown. Only the open one is drawn, so the others load nothing. */
export function Tabs({ label, tabs, open, onOpen }: Props) {
  return (
    <AriaTabs
      className={styles.tabs ?? ""}
      {...(open !== undefined && { selectedKey: open })}
      onSelectionChange={(id) => onOpen?.(String(id))}
    >
      <TabList aria-label={label} className={styles.list ?? ""}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ""}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ""}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
