/** The areas of the application, in the order of the navigation. An area is shown once its page has a route. */
import { msg } from "../lib/i18n";
import { KEYS } from "../lib/keys";

export interface Area {
  path: string;
  label: string;
  /** Of `lib/keys.ts`. */
  keys: string;
  /** The pages of the area that have links of their own. */
  pages?: readonly Omit<Area, "pages">[];
}

export const AREAS: readonly Area[] = [
  {
    path: "/check-out",
    label: msg("Desk"),
    keys: KEYS.desk,
    pages: [
      { path: "/check-out", label: msg("Check out"), keys: KEYS.checkOut },
      { path: "/check-in", label: msg("Check in"), keys: KEYS.checkIn },
      { path: "/slips", label: msg("Slips"), keys: KEYS.slips },
    ],
  },
  { path: "/patrons", label: msg("Patrons"), keys: KEYS.patrons },
  { path: "/requests", label: msg("Requests"), keys: KEYS.requests },
  { path: "/catalogue", label: msg("Catalogue"), keys: KEYS.catalogue },
  { path: "/archives", label: msg("Archives"), keys: KEYS.archives },
  { path: "/settings", label: msg("Settings"), keys: KEYS.settings },
  { path: "/performance", label: msg("Performance"), keys: KEYS.performance },
];

/** Pages without a place in the navigation, which the command palette offers everywhere. */
export const FURTHER_PAGES: readonly (Pick<Area, "path" | "label"> & { keys?: string })[] = [
  { path: "/archives/jobs", label: msg("Imports and jobs") },
  { path: "/archives/import", label: msg("Import a finding aid…") },
  { path: "/archives/circulation", label: msg("Circulation of boxes") },
  { path: "/settings/circulation-rules", label: msg("Circulation rules") },
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
