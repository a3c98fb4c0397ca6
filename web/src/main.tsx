import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { restoreSession } from "./features/session/session";
import { restoreLanguage } from "./lib/i18n";
import { restoreLook } from "./lib/look";
import "./ui/theme.css";

restoreLook();
await Promise.all([restoreSession(), restoreLanguage()]);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
