/** The command palette and the sheet of shortcuts: their buttons, their keys, and which of them is open. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useActions } from "../lib/actions";
import { t } from "../lib/i18n";
import { KEYS } from "../lib/keys";
import { Button, Keys } from "../ui/Button";
import { later } from "../ui/later";
import { FURTHER_PAGES } from "./areas";
import styles from "./Commands.module.css";
import { useShownAreas } from "./Navigation";

const Palette = later(() => import("./Palette").then((file) => file.default), { isAtHand: true });
const ShortcutSheet = later(() => import("./ShortcutSheet").then((file) => file.default), {
  isAtHand: true,
});

export function Commands() {
  const [open, setOpen] = useState<"palette" | "shortcuts">();
  const close = () => setOpen(undefined);
  const openPalette = () => setOpen("palette");
  const openShortcuts = () => setOpen("shortcuts");
  useAreaActions();
  useActions([
    { label: t("Go to a page, do something"), keys: KEYS.palette, run: openPalette, kind: "app" },
    { label: t("Keyboard shortcuts"), keys: KEYS.keys, run: openShortcuts, kind: "app" },
  ]);
  return (
    <>
      <Button
        look="quiet"
        onPress={openPalette}
        keys={KEYS.palette}
        aria-keyshortcuts={KEYS.palette}
      >
        {t("Go to…")}
      </Button>
      <Button
        look="quiet"
        onPress={openShortcuts}
        aria-label={t("Keyboard shortcuts")}
        aria-keyshortcuts={KEYS.keys}
      >
        <span className={styles.shortcuts}>
          <Keys>?</Keys>
        </span>
      </Button>
      {open === "palette" && <Palette onClose={close} onShowShortcuts={openShortcuts} />}
      {open === "shortcuts" && <ShortcutSheet onClose={close} />}
    </>
  );
}

/** Going to the areas and their pages. */
function useAreaActions(): void {
  const navigate = useNavigate();
  const pages = useShownAreas().flatMap((area) => area.pages ?? [area]);
  const first = useShownAreas().filter((area) => area.pages);
  useActions(
    [...pages, ...first, ...FURTHER_PAGES].map(({ label, keys, path }) => ({
      label: t(label),
      keys,
      run: () => void navigate({ to: path }),
      kind: "go" as const,
    })),
  );
}
