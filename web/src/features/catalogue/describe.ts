/** Short texts about records of the catalogue. */
import type { CallNumberParts, FoundInstance, Instance } from "../../api/catalogue";

export function callNumber({ prefix, callNumber, suffix }: CallNumberParts = {}): string {
  return [prefix, callNumber, suffix].filter(Boolean).join(" ");
}

/** The main contributor first. */
export function contributorNames(contributors: FoundInstance["contributors"] = []): string {
  const first = contributors.filter(({ primary }) => primary);
  const others = contributors.filter(({ primary }) => !primary);
  return [...first, ...others].map(({ name }) => name).join("; ");
}

/** The year or years that a title is from. */
export function dateOf({ dates, publication }: Pick<FoundInstance, "dates" | "publication">) {
  const years = [dates?.date1, dates?.date2].filter(Boolean).join("–");
  return years || (publication?.[0]?.dateOfPublication ?? "");
}

/** The call numbers of a title's items, each once. */
export function callNumbers({ items = [] }: FoundInstance): string {
  const numbers = items.map((item) => callNumber(item.effectiveCallNumberComponents));
  return [...new Set(numbers.filter((number) => number))].join("; ");
}

export function subtitleOf({ contributors, hrid }: Pick<Instance, "contributors" | "hrid">) {
  return [contributorNames(contributors), hrid].filter(Boolean).join(" · ");
}
