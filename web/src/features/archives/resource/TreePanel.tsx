/** The tree with what can be done in it: find, cut, paste, undo. */
import { t } from "../../../lib/i18n";
import { useStore } from "../../../lib/store";
import { Button } from "../../../ui/Button";
import { announce } from "../../../ui/LiveRegion";
import { MenuButton, MenuItem } from "../../../ui/Menu";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import type { Tree } from "../tree/model";
import { moveTo, topmost, type Where } from "../tree/moves";
import styles from "../tree/Tree.module.css";
import { TreeView } from "../tree/TreeView";
import { moveTitle } from "../tree/titles";
import type { TreeWork } from "../tree/treeWork";
import { useMay } from "../useRepository";
import { TreeFind } from "./TreeFind";

interface Props {
  work: TreeWork;
  repository: number;
  label: string;
  shown: string;
  onView: (uri: string) => void;
}

export function TreePanel({ work, repository, label, shown, onView }: Props) {
  const { problem, isUncertain } = useStore(work);
  const may = useMay(repository)("update_resource_record");
  const forbidden = may
    ? undefined
    : t("You may not do this here. Whoever manages users can allow it.");
  const act = (deed: Deed) => {
    if (forbidden) announce(forbidden);
    else void DEEDS[deed](work);
  };
  return (
    <div className={styles.side}>
      <TreeFind work={work} repository={repository} onView={onView} />
      <Tools work={work} forbidden={forbidden} onDeed={act} />
      <ProblemNotice
        error={problem}
        title={
          isUncertain
            ? t("Whether the move was made is not known. Try again to see the tree as it is.")
            : t("The tree is shown as the server has it.")
        }
        onRetry={() => void work.tryAgain()}
      />
      <TreeView label={label} work={work} shown={shown} onView={onView} onDeed={act} />
    </div>
  );
}

type Deed = "cut" | "paste" | "pasteBefore" | "pasteAfter" | "undo" | "redo";

const DEEDS: Record<Deed, (work: TreeWork) => Promise<void> | void> = {
  cut,
  paste: (work) => paste(work, "into"),
  pasteBefore: (work) => paste(work, "before"),
  pasteAfter: (work) => paste(work, "after"),
  undo: async (work) => {
    const move = work.snapshot().done.at(-1);
    if (!move) return announce(t("There is nothing to undo."));
    if (await work.undo()) announce(t("{what} moved back.", { what: move.title }));
  },
  redo: async (work) => {
    const move = work.snapshot().undone.at(-1);
    if (!move) return announce(t("There is nothing to do again."));
    if (await work.redo()) announce(t("{what} moved again.", { what: move.title }));
  },
};

/** What a command is about: the selected nodes, or else the one with the focus. */
function chosen(tree: Tree): string[] {
  const uris = tree.selected.size > 0 ? tree.selected : [tree.focus];
  return topmost(
    tree,
    [...uris].filter((uri) => tree.nodes.has(uri)),
  );
}

function cut(work: TreeWork): void {
  const { tree } = work.snapshot();
  const uris = chosen(tree);
  work.change({ kind: "cut", uris });
  announce(
    uris.length === 0
      ? t("Choose the components to move first.")
      : t("{what} cut. Go to where it belongs and paste.", { what: moveTitle(tree, uris) }),
  );
}

async function paste(work: TreeWork, where: Where): Promise<void> {
  const { tree } = work.snapshot();
  if (tree.cut.length === 0) return announce(t("Nothing is cut."));
  const step = moveTo(tree, tree.cut, tree.focus, where);
  if (!step) return announce(t("It cannot be moved there."));
  const title = moveTitle(tree, step.uris);
  work.change({ kind: "select", uris: [] });
  if (await work.move(step, title)) announce(t("{what} moved.", { what: title }));
}

interface ToolsProps {
  work: TreeWork;
  forbidden: string | undefined;
  onDeed: (deed: Deed) => void;
}

function Tools({ work, forbidden, onDeed }: ToolsProps) {
  const { tree, done, undone } = useStore(work);
  const noCut = tree.cut.length === 0 ? t("Cut components first.") : undefined;
  const nothing = chosen(tree).length === 0 ? t("Choose the components to move first.") : undefined;
  return (
    <div className={styles.tools} role="toolbar" aria-label={t("Moving")}>
      <Button onPress={() => onDeed("cut")} disabledReason={forbidden ?? nothing} keys="Ctrl X">
        {t("Cut")}
      </Button>
      <MenuButton label={t("Paste")}>
        <MenuItem onAction={() => onDeed("paste")} disabledReason={forbidden ?? noCut}>
          {t("Below the chosen one (Ctrl V)")}
        </MenuItem>
        <MenuItem onAction={() => onDeed("pasteBefore")} disabledReason={forbidden ?? noCut}>
          {t("Before the chosen one")}
        </MenuItem>
        <MenuItem onAction={() => onDeed("pasteAfter")} disabledReason={forbidden ?? noCut}>
          {t("After the chosen one")}
        </MenuItem>
      </MenuButton>
      <Button
        onPress={() => onDeed("undo")}
        disabledReason={forbidden ?? (done.length === 0 ? t("Nothing was moved yet.") : undefined)}
        keys="Ctrl Z"
      >
        {t("Undo")}
      </Button>
      <Button
        onPress={() => onDeed("redo")}
        disabledReason={forbidden ?? (undone.length === 0 ? t("Nothing was undone.") : undefined)}
      >
        {t("Redo")}
      </Button>
    </div>
  );
}
