/** What narrows a search. */
import type { FacetValues } from "../../api/catalogue";
import { fixed } from "../../lib/fixedValues";
import { msg } from "../../lib/i18n";
import type { Facet } from "../../ui/Facets";
import type { ReferenceName, References } from "../records/references";

interface CatalogueFacet {
  id: string;
  title: string;
  /** The values are ids of these records; otherwise they are shown as they are. */
  of?: ReferenceName | "language" | "switch" | "status";
}

export const FACETS: readonly CatalogueFacet[] = [
  { id: "items.status.name", title: msg("Item status"), of: "status" },
  { id: "items.effectiveLocationId", title: msg("Location"), of: "locations" },
  { id: "items.materialTypeId", title: msg("Material type"), of: "material-types" },
  { id: "languages", title: msg("Language"), of: "language" },
  { id: "instanceTypeId", title: msg("Resource type"), of: "instance-types" },
  { id: "instanceFormatIds", title: msg("Format"), of: "instance-formats" },
  { id: "modeOfIssuanceId", title: msg("Mode of issuance"), of: "modes-of-issuance" },
  { id: "statusId", title: msg("Cataloguing status"), of: "instance-statuses" },
  { id: "source", title: msg("Source") },
  { id: "staffSuppress", title: msg("Suppressed from staff"), of: "switch" },
  { id: "discoverySuppress", title: msg("Suppressed from discovery"), of: "switch" },
];

/** Values shown of each facet. */
const SHOWN = 8;

export const FACET_PARAMETERS = FACETS.map(({ id }) => `${id}:${SHOWN}`);

export const FACET_REFERENCES = FACETS.flatMap(({ of }) =>
  of && of !== "language" && of !== "switch" && of !== "status" ? [of] : [],
);

interface Words {
  nameOf: References["nameOf"];
  locale: string;
  yes: string;
  no: string;
}

/** The facets that have something to choose: two values, or a chosen one. */
export function facetsToShow(
  counts: Readonly<Record<string, FacetValues>>,
  chosen: Readonly<Record<string, readonly string[]>>,
  words: Words,
  title: (text: string) => string,
): Facet[] {
  return FACETS.map((facet) => ({
    id: facet.id,
    title: title(facet.title),
    values: valuesOf(counts[facet.id], chosen[facet.id] ?? []).map(({ id, count }) => ({
      id,
      label: labelOf(facet, id, words),
      count,
    })),
  })).filter(({ id, values }) => values.length > 1 || (chosen[id]?.length ?? 0) > 0);
}

/** A chosen value that nothing has any more stays, so that it can be taken away. */
function valuesOf(counts: FacetValues | undefined, chosen: readonly string[]) {
  const found = (counts?.values ?? []).map(({ id, totalRecords }) => ({ id, count: totalRecords }));
  const missing = chosen.filter((id) => !found.some((value) => value.id === id));
  return [...missing.map((id) => ({ id, count: 0 })), ...found];
}

function labelOf({ of }: CatalogueFacet, id: string, words: Words): string {
  if (of === "language") return languageName(id, words.locale);
  if (of === "status") return fixed("itemStatus", id);
  if (of === "switch") return id === "true" ? words.yes : words.no;
  return of ? words.nameOf(of, id) : id;
}

/** The name of a language of three letters, `ger`, or the code if the browser knows none. */
export function languageName(code: string, locale: string): string {
  try {
    return (
      new Intl.DisplayNames(locale, { type: "language" }).of(BIBLIOGRAPHIC[code] ?? code) ?? code
    );
  } catch {
    return code;
  }
}

/** MARC's codes that are not those of the browser. */
const BIBLIOGRAPHIC: Readonly<Record<string, string>> = {
  alb: "sq",
  arm: "hy",
  baq: "eu",
  bur: "my",
  chi: "zh",
  cze: "cs",
  dut: "nl",
  fre: "fr",
  geo: "ka",
  ger: "de",
  gre: "el",
  ice: "is",
  mac: "mk",
  may: "ms",
  per: "fa",
  rum: "ro",
  slo: "sk",
  tib: "bo",
  wel: "cy",
};
