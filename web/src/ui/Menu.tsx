import type { ReactNode } from "react";
import {
  MenuItem as AriaMenuItem,
  Header,
  Menu,
  MenuSection,
  MenuTrigger,
  Popover,
  Text,
} from "react-aria-components";
import type { Call } from "../api/permissions";
import { useWhyNot } from "../lib/may";
import { Button } from "./Button";
import styles from "./Menu.module.css";

interface MenuProps {
  label: string;
  look?: "plain" | "quiet";
  /** `MenuItem`s and `MenuChoice`s. */
  children: ReactNode;
}

/** A button that opens a list of actions. */
export function MenuButton({ label, look = "plain", children }: MenuProps) {
  return (
    <MenuTrigger>
      <Button look={look}>
        {label}
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={styles.popover ?? ""}>
        <Menu className={styles.menu ?? ""}>{children}</Menu>
      </Popover>
    </MenuTrigger>
  );
}

interface ItemProps {
  onAction: () => void;
  /** Why the action cannot be done now; it is shown under the label. */
  disabledReason?: string | undefined;
  /** The call that the action leads to. */
  needs?: Call | undefined;
  children: string;
}

export function MenuItem({ onAction, needs, children, ...props }: ItemProps) {
  const disabledReason = useWhyNot(needs) ?? props.disabledReason;
  return (
    <AriaMenuItem
      className={styles.item ?? ""}
      onAction={onAction}
      isDisabled={disabledReason !== undefined}
      textValue={children}
    >
      <Text slot="label">{children}</Text>
      {disabledReason && (
        <Text slot="description" className={styles.reason ?? ""}>
          {disabledReason}
        </Text>
      )}
    </AriaMenuItem>
  );
}

interface ChoiceProps {
  title: string;
  options: readonly { id: string; label: string }[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** One of several, within a menu. */
export function MenuChoice({ title, options, chosen, onChoose }: ChoiceProps) {
  return (
    <MenuSection
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const [id] = [...keys];
        if (id !== undefined) onChoose(String(id));
      }}
      className={styles.section ?? ""}
    >
      <Header className={styles.header ?? ""}>{title}</Header>
      {options.map(({ id, label }) => (
        <AriaMenuItem key={id} id={id} className={styles.item ?? ""} textValue={label}>
          {({ isSelected }) => (
            <>
              <span className={styles.mark} aria-hidden="true">
                {isSelected ? "✓" : ""}
              </span>
              <Text slot="label">{label}</Text>
            </>
          )}
        </AriaMenuItem>
      ))}
    </MenuSection>
  );
}
