/** The areas of the application, in the order of the navigation. An area is shown once its page has a route. */
import { msg } from "../lib/i18n";

export interface Area {
  path: string;
  label: string;
  /** `Alt+Shift+1`; `lib/shortcuts.ts` reads it. */
  keys: string;
  /** The pages of the area that have links of their own. */
  pages?: readonly Omit<Area, "pages">[];
}

export const AREAS: readonly Area[] = [
  {
    path: "/check-out",
    label: msg("Desk"),
    keys: "Alt+Shift+1",
    pages: [
      { path: "/check-out", label: msg("Check out"), keys: "Alt+1" },
      { path: "/check-in", label: msg("Check in"), keys: "Alt+2" },
      { path: "/slips", label: msg("Slips"), keys: "Alt+6" },
    ],
  },
  { path: "/patrons", label: msg("Patrons"), keys: "Alt+Shift+2" },
  { path: "/requests", label: msg("Requests"), keys: "Alt+Shift+3" },
  { path: "/catalogue", label: msg("Catalogue"), keys: "Alt+Shift+4" },
  { path: "/archives", label: msg("Archives"), keys: "Alt+Shift+5" },
  { path: "/settings", label: msg("Settings"), keys: "Alt+Shift+6" },
  { path: "/performance", label: msg("Performance"), keys: "Alt+Shift+7" },
];

/** The areas that have a page; `has` tells whether a path has one. */
export function shownAreas(has: (path: string) => boolean): Area[] {
  return AREAS.filter(({ path }) => has(path)).map((area) =>
    area.pages ? { ...area, pages: area.pages.filter(({ path }) => has(path)) } : area,
  );
}

/** The area that a page belongs to: `/patrons/42` to `/patrons`, `/check-in` to the desk. */
export function areaOf(areas: readonly Area[], path: string): Area | undefined {
  return areas.find(
    (area) => isUnder(path, area.path) || area.pages?.some((page) => isUnder(path, page.path)),
  );
}

export function isUnder(path: string, area: string): boolean {
  return path === area || path.startsWith(`${area}/`);
}
