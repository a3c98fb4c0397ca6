/** Finds a page, an action of the page or a record seen before, by its name. */
import { useNavigate } from "@tanstack/react-router";
import {
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  Text,
  useFilter,
} from "react-aria-components";
import { type Action, useOfferedActions } from "../lib/actions";
import { t } from "../lib/i18n";
import { KEYS, keysInWords } from "../lib/keys";
import { useSeenRecords } from "../lib/seen";
import { Keys } from "../ui/Button";
import controls from "../ui/controls.module.css";
import { CommandPanel } from "./CommandPanel";
import styles from "./Commands.module.css";

interface Props {
  onClose: () => void;
  onShowShortcuts: () => void;
}

export default function Palette({ onClose, onShowShortcuts }: Props) {
  const { contains } = useFilter({ sensitivity: "base" });
  const actions = useOfferedActions();
  const ofKind = (kind: Action["kind"]) =>
    actions.filter((action) => (action.kind ?? "page") === kind);
  const isOfThisPanel = ({ keys }: Action) => keys === KEYS.palette || keys === KEYS.keys;
  return (
    <CommandPanel label={t("Go to a page, do something")} onClose={onClose}>
      <Autocomplete filter={contains}>
        <SearchField
          className={styles.search ?? ""}
          aria-label={t("Go to a page, do something")}
          autoFocus
        >
          <Input className={controls.input ?? ""} placeholder={t("Page, action or record")} />
        </SearchField>
        <Menu
          aria-label={t("Pages, actions and records")}
          className={styles.list ?? ""}
          renderEmptyState={() => <p className={styles.empty}>{t("Nothing has that name.")}</p>}
        >
          <Actions title={t("On this page")} actions={ofKind("page")} onDone={onClose} />
          <Actions title={t("Go to")} actions={ofKind("go")} onDone={onClose} />
          <Seen onDone={onClose} />
          <Actions
            title="Carrel"
            actions={[
              ...ofKind("app").filter((action) => !isOfThisPanel(action)),
              { label: t("Keyboard shortcuts"), keys: KEYS.keys, run: onShowShortcuts },
            ]}
            onDone={() => undefined}
          />
        </Menu>
      </Autocomplete>
    </CommandPanel>
  );
}

interface ActionsProps {
  title: string;
  actions: readonly Action[];
  /** Called before the action, which may open something of its own. */
  onDone: () => void;
}

function Actions({ title, actions, onDone }: ActionsProps) {
  if (actions.length === 0) return null;
  return (
    <MenuSection>
      <Header className={styles.header ?? ""}>{title}</Header>
      {actions.map(({ label, keys, run, disabledReason }) => (
        <MenuItem
          key={label}
          id={`${title} ${label}`}
          textValue={label}
          className={styles.item ?? ""}
          isDisabled={disabledReason !== undefined}
          onAction={() => {
            onDone();
            run();
          }}
        >
          <Text slot="label">{label}</Text>
          {disabledReason && <Text slot="description">{disabledReason}</Text>}
          {keys && <Keys>{keysInWords(keys)}</Keys>}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function Seen({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const records = useSeenRecords();
  const actions = records.map(({ path, label }) => ({
    label,
    run: () => void navigate({ to: path }),
  }));
  return <Actions title={t("Seen before")} actions={actions} onDone={onDone} />;
}
