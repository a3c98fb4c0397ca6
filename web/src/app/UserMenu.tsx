import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useUnansweredScans } from "../features/scanning/deskQueues";
import { type Session, signOut } from "../features/session/session";
import { useActions } from "../lib/actions";
import { chooseLanguage, LANGUAGES, type Language, t, useLanguage } from "../lib/i18n";
import { chooseLook, type Density, type Theme, useLook } from "../lib/look";
import { later } from "../ui/later";
import { MenuButton, MenuChoice, MenuItem } from "../ui/Menu";

const LeaveDialog = later(
  () => import("../features/session/LeaveDialog").then((file) => file.default),
  { isAtHand: true },
);

/** Who is signed in, with the choices of this browser; signing out asks if it would lose scans. */
export function UserMenu({ session }: { session: Session }) {
  const { username, tenant } = session;
  const language = useLanguage();
  const look = useLook();
  const unanswered = useUnansweredScans();
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const openSounds = () => void navigate({ to: "/sounds" });
  const leave = () => void signOut();
  const askToLeave = () => (unanswered > 0 ? setAsking(true) : leave());
  useActions([
    { label: t("Sounds…"), run: openSounds, kind: "app" },
    { label: t("Sign out"), run: askToLeave, kind: "app" },
  ]);
  return (
    <>
      <MenuButton look="quiet" label={t("{username} at {tenant}", { username, tenant })}>
        <MenuChoice
          title={t("Language")}
          chosen={language}
          options={Object.entries(LANGUAGES).map(([id, label]) => ({ id, label }))}
          onChoose={(chosen) => void chooseLanguage(chosen as Language)}
        />
        <MenuChoice
          title={t("Colours")}
          chosen={look.theme}
          options={[
            { id: "system", label: t("As the system") },
            { id: "light", label: t("Light") },
            { id: "dark", label: t("Dark") },
          ]}
          onChoose={(theme) => chooseLook({ theme: theme as Theme })}
        />
        <MenuChoice
          title={t("Spacing")}
          chosen={look.density}
          options={[
            { id: "comfortable", label: t("Comfortable") },
            { id: "compact", label: t("Compact") },
          ]}
          onChoose={(density) => chooseLook({ density: density as Density })}
        />
        <MenuItem onAction={openSounds}>{t("Sounds…")}</MenuItem>
        <MenuItem onAction={askToLeave}>{t("Sign out")}</MenuItem>
      </MenuButton>
      {isAsking && (
        <LeaveDialog unanswered={unanswered} onConfirm={leave} onCancel={() => setAsking(false)} />
      )}
    </>
  );
}
