/** All keys that do something now, from the table of actions. */
import { Heading } from "react-aria-components";
import { type Action, useOfferedActions } from "../lib/actions";
import { t } from "../lib/i18n";
import { keysInWords } from "../lib/keys";
import { Button } from "../ui/Button";
import controls from "../ui/controls.module.css";
import { CommandPanel } from "./CommandPanel";
import styles from "./Commands.module.css";

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const actions = useOfferedActions().filter(({ keys }) => keys);
  const here = actions.filter(({ kind }) => kind === undefined || kind === "page");
  const everywhere = actions.filter((action) => !here.includes(action));
  return (
    <CommandPanel label={t("Keyboard shortcuts")} onClose={onClose}>
      <Heading slot="title" level={2}>
        {t("Keyboard shortcuts")}
      </Heading>
      <div>
        <Group title={t("On this page")} actions={here} />
        <Group title={t("On every page")} actions={everywhere} />
      </div>
      <div>
        <Button onPress={onClose} autoFocus>
          {t("Close")}
        </Button>
      </div>
    </CommandPanel>
  );
}

function Group({ title, actions }: { title: string; actions: readonly Action[] }) {
  if (actions.length === 0) return null;
  return (
    <table className={styles.sheet}>
      <caption>{title}</caption>
      <tbody>
        {actions.map(({ label, keys = "" }) => (
          <tr key={`${keys} ${label}`}>
            <th scope="row">{label}</th>
            <td>
              <kbd className={controls.key}>{keysInWords(keys)}</kbd>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
