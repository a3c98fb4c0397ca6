/** The two modes of the desk, each with its address, so that links and the palette lead to either. */
import { useRouter, useRouterState } from "@tanstack/react-router";
import type { Mode } from "./scan";

export const PATHS: Record<Mode, string> = { lend: "/check-out", return: "/check-in" };

export const modeAt = (path: string): Mode => (path === PATHS.return ? "return" : "lend");

/** The mode that is shown. */
export const useMode = (): Mode =>
  useRouterState({ select: ({ location }) => modeAt(location.pathname) });

/** Tells the mode at this moment, which a fast scanner may be ahead of the screen with. */
export function useModeNow(): () => Mode {
  const { history } = useRouter();
  return () => modeAt(history.location.pathname);
}
