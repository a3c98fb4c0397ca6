/** Theme and density, chosen by the user and kept in this browser. */
import { Store, useStore } from "./store";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

export interface Look {
  theme: Theme;
  density: Density;
}

const KEPT_AS = "carrel.look";
const DEFAULT: Look = { theme: "system", density: "comfortable" };

const store = new Store<Look>(DEFAULT);

/** Called once, before the first render. */
export function restoreLook(): void {
  show(readLook(localStorage.getItem(KEPT_AS)));
}

export function chooseLook(change: Partial<Look>): void {
  const look = { ...store.snapshot(), ...change };
  localStorage.setItem(KEPT_AS, JSON.stringify(look));
  show(look);
}

export function useLook(): Look {
  return useStore(store);
}

export function useDensity(): Density {
  return useLook().density;
}

/** The kept look; what cannot be read is the default. */
export function readLook(kept: string | null): Look {
  try {
    return { ...DEFAULT, ...(JSON.parse(kept ?? "{}") as Partial<Look>) };
  } catch {
    return DEFAULT;
  }
}

/** theme.css decides by these attributes. */
function show(look: Look): void {
  const { dataset } = document.documentElement;
  dataset.theme = look.theme;
  dataset.density = look.density;
  store.set(look);
}
