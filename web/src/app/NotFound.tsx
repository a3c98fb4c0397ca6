import { Link } from "@tanstack/react-router";
import { t } from "../lib/i18n";

export function NotFound() {
  return (
    <main>
      <h1>{t("There is no such page")}</h1>
      <p>
        <Link to="/">{t("Back to the desk")}</Link>
      </p>
    </main>
  );
}
