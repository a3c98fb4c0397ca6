/** Values of the archives' lists in words: `linear_feet` is Linear feet. Whole words of the record stay as they are. */
import type { Reference } from "../../api/archivesTypes";

export function inWords(value: string | null | undefined): string {
  if (!value) return "";
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value)) return value;
  return (KNOWN[value] ?? value.replace(/^agent_/, "").replaceAll("_", " ")).replace(
    /^./,
    (first) => first.toUpperCase(),
  );
}

/** Languages are kept as three letters, scripts as four; the browser knows their names in the user's language. */
export function languageInWords(code: string, locale: string): string {
  const type = code.length === 4 ? "script" : "language";
  try {
    return new Intl.DisplayNames([locale], { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Values whose own letters say too little. */
const KNOWN: Record<string, string> = {
  true: "Yes",
  false: "No",
  otherlevel: "Other level",
  recordgrp: "Record group",
  subgrp: "Subgroup",
  scopecontent: "Scope and contents",
  bioghist: "Biographical or historical note",
  accessrestrict: "Conditions governing access",
  userestrict: "Conditions governing use",
  prefercite: "Preferred citation",
  acqinfo: "Immediate source of acquisition",
  custodhist: "Custodial history",
  arrangement: "Arrangement",
  processinfo: "Processing information",
  relatedmaterial: "Related materials",
  separatedmaterial: "Separated materials",
  originalsloc: "Existence and location of originals",
  altformavail: "Existence and location of copies",
  otherfindaid: "Other finding aids",
  phystech: "Physical characteristics and technical requirements",
  physdesc: "Physical description",
  physloc: "Physical location",
  physfacet: "Physical facet",
  materialspec: "Materials specific details",
  legalstatus: "Legal status",
  fileplan: "File plan",
  odd: "General note",
  langmaterial: "Language of materials",
};

/** Text without the markup of finding aids, for rows and titles. */
export function plainText(text: string | null | undefined): string {
  return (text ?? "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&amp;", "&")
    .trim();
}

/** The title of a linked record, or its address until it was read. */
export function linkedTitle(link: Reference | undefined): string {
  const linked = link?._resolved;
  const title = linked?.display_string ?? linked?.long_display_string ?? linked?.title;
  return plainText(typeof title === "string" ? title : undefined) || (link?.ref ?? "");
}
