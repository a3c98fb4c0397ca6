/**
 * Adds an item that is at the desk but not in the catalogue: an instance, holdings and an item from one short form, as
 * FOLIO's "fast add" does. The public does not see them until a cataloguer has looked at them.
 */
import { listConfigurations } from "../../api/endpoints";
import type { RecordPath } from "../../api/records";
import { msg } from "../../lib/i18n";
import { newId } from "../../lib/newId";
import type { Section } from "../records/kind";
import { type NewRecord, newRecord } from "../records/newRecord";
import type { ReferenceName, References } from "../records/references";
import { isEmpty, textAt, type Values, withValue } from "../records/values";

export const SECTIONS: readonly Section[] = [
  {
    title: msg("Title"),
    fields: [
      { as: "text", path: "instance.title", label: msg("Title"), required: true },
      { as: "text", path: "contributor.name", label: msg("Author") },
      {
        as: "choice",
        path: "contributor.contributorNameTypeId",
        label: msg("Type of name"),
        from: "contributor-name-types",
        required: true,
        when: (record) => textAt(record, "contributor.name") !== "",
      },
      {
        as: "choice",
        path: "instance.instanceTypeId",
        label: msg("Resource type"),
        from: "instance-types",
        required: true,
      },
      { as: "text", path: "dateOfPublication", label: msg("Date of publication") },
      { as: "text", path: "isbn", label: "ISBN" },
      { as: "text", path: "issn", label: "ISSN" },
      {
        as: "choice",
        path: "instance.statusId",
        label: msg("Cataloguing status"),
        from: "instance-statuses",
      },
      { as: "switch", path: "instance.discoverySuppress", label: msg("Hidden from the public") },
    ],
  },
  {
    title: msg("Place and call number"),
    fields: [
      {
        as: "choice",
        path: "holdings.permanentLocationId",
        label: msg("Location"),
        from: "locations",
        required: true,
      },
      { as: "text", path: "holdings.callNumber", label: msg("Call number") },
    ],
  },
  {
    title: msg("Item"),
    fields: [
      { as: "text", path: "item.barcode", label: msg("Barcode"), required: true },
      {
        as: "choice",
        path: "item.materialType.id",
        label: msg("Material type"),
        from: "material-types",
        required: true,
      },
      {
        as: "choice",
        path: "item.permanentLoanType.id",
        label: msg("Loan type"),
        from: "loan-types",
        required: true,
      },
      { as: "text", path: "note", label: msg("Note at check-in") },
    ],
  },
];

/** What the records need besides the lists of the form. */
export const MORE_REFERENCES: readonly ReferenceName[] = ["identifier-types", "holdings-sources"];

/** The ids are chosen here, because the records name each other. */
export const blankItem = (barcode: string): Values => ({
  instance: { id: newId(), source: "FOLIO", staffSuppress: false, discoverySuppress: true },
  holdings: { id: newId() },
  item: { id: newId(), barcode },
});

/** The library's choices for what is added at the desk: FOLIO's configuration `FAST_ADD`. */
export async function withDefaults(blank: Values, references: References): Promise<Values> {
  const [entry] = await listConfigurations("FAST_ADD", "fastAddSettings");
  const settings = settingsIn(entry?.value);
  const status = references
    .choices("instance-statuses")
    .find(
      ({ id }) => references.record("instance-statuses", id)?.code === settings.instanceStatusCode,
    );
  const isSuppressed = String(settings.defaultDiscoverySuppress ?? true) !== "false";
  const chosen = withValue(blank, "instance.discoverySuppress", isSuppressed);
  return status ? withValue(chosen, "instance.statusId", status.id) : chosen;
}

function settingsIn(value: string | undefined): Values {
  try {
    return JSON.parse(value ?? "{}") as Values;
  } catch {
    return {};
  }
}

/** The three records of a form. */
export function recordsOf(form: Values, references: References): Record<Step, Values> {
  const { instance, holdings, item } = form as Record<Step, Values>;
  const named = (from: ReferenceName, name: string) =>
    references.choices(from).find((choice) => choice.name === name)?.id;
  const identifiers = (["ISBN", "ISSN"] as const).flatMap((name) => {
    const value = textAt(form, name.toLowerCase()).trim();
    return value ? [{ identifierTypeId: named("identifier-types", name), value }] : [];
  });
  const date = textAt(form, "dateOfPublication").trim();
  const note = textAt(form, "note").trim();
  return {
    instance: {
      ...instance,
      ...(!isEmpty(textAt(form, "contributor.name")) && {
        contributors: [{ ...(form.contributor as Values), primary: true }],
      }),
      ...(identifiers.length > 0 && { identifiers }),
      ...(date && { publication: [{ dateOfPublication: date }] }),
    },
    holdings: {
      ...holdings,
      instanceId: instance.id,
      sourceId: named("holdings-sources", "FOLIO"),
    },
    item: {
      ...item,
      holdingsRecordId: holdings.id,
      status: { name: "Available" },
      ...(note && { circulationNotes: [{ noteType: "Check in", note, staffOnly: true }] }),
    },
  };
}

type Step = "instance" | "holdings" | "item";

const PATHS: Record<Step, RecordPath> = {
  instance: "/inventory/instances",
  holdings: "/holdings-storage/holdings",
  item: "/inventory/items",
};

const STEPS = Object.keys(PATHS) as Step[];

/** Saves the three records of a form, each needing the one before; again after a failure, it makes none twice. */
export function itemSaver(blank: Values): (records: Record<Step, Values>) => Promise<void> {
  const made = STEPS.map((step): [Step, NewRecord] => [
    step,
    newRecord(PATHS[step], textAt(blank, `${step}.id`)),
  ]);
  return async (records) => {
    for (const [step, record] of made) await record.save(records[step]);
  };
}
