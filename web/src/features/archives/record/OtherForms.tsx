/** The forms of top containers, agents and subjects, and what only accessions have. */
import type {
  Agent,
  AgentName,
  Description,
  Subject,
  Term,
  TopContainer,
} from "../../../api/archivesTypes";
import { msg, t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { Checkbox } from "../../../ui/choices";
import controls from "../../../ui/controls.module.css";
import { Section } from "../../../ui/Detail";
import { TextArea, TextField } from "../../../ui/fields";
import { linkedTitle } from "../values";
import type { FormProps } from "./forms";
import { LinkField } from "./LinkField";
import { textsOf, withText } from "./notes";
import { Parts } from "./Parts";
import { ValueField } from "./ValueField";

const today = () => new Date().toISOString().slice(0, 10);

export function ContainerForm({ mine, set, lists, repository }: FormProps<TopContainer>) {
  const location = mine.container_locations?.find(({ status }) => status === "current");
  const others = mine.container_locations?.filter((one) => one !== location) ?? [];
  const profile = mine.container_profile;
  const place = (ref: string, title: string) => {
    const _resolved = { uri: ref, jsonmodel_type: "location", lock_version: 0, title };
    const current = {
      jsonmodel_type: "container_location",
      status: "current",
      start_date: today(),
      ref,
      _resolved,
    };
    set({ container_locations: [...others, current] });
  };
  return (
    <Section title={t("Container")}>
      <div className={controls.fieldRow}>
        <ValueField
          label={t("Type")}
          list={lists.container_type}
          value={mine.type}
          onChange={(type) => set({ type })}
        />
        <TextField
          label={t("Indicator")}
          value={mine.indicator ?? ""}
          onChange={(indicator) => set({ indicator })}
          autoFocus
        />
        <TextField
          label={t("Barcode")}
          value={mine.barcode ?? ""}
          onChange={(barcode) => set({ barcode })}
        />
      </div>
      <LinkField
        label={t("Container profile")}
        repository={repository}
        types={["container_profile"]}
        value={profile && { ref: profile.ref, title: linkedTitle(profile) }}
        onChange={(ref, title) =>
          set({
            container_profile: {
              ref,
              _resolved: { uri: ref, jsonmodel_type: "container_profile", lock_version: 0, title },
            },
          })
        }
      />
      <LinkField
        label={t("Location now")}
        repository={repository}
        types={["location"]}
        value={location && { ref: location.ref, title: linkedTitle(location) }}
        onChange={place}
      />
      <TextArea
        label={t("Internal note")}
        value={mine.internal_note ?? ""}
        onChange={(internal_note) => set({ internal_note })}
      />
    </Section>
  );
}

export function SubjectForm({ mine, set, lists }: FormProps<Subject>) {
  const terms = mine.terms ?? [];
  const vocabulary = mine.vocabulary ?? "/vocabularies/1";
  const add = () => {
    const fresh: Term = { jsonmodel_type: "term", term: "", term_type: "topical", vocabulary };
    set({ terms: [...terms, fresh] });
  };
  // A changed term is another term, which must not keep the address of the old one.
  const renamed = (changes: Partial<Term>) => ({ ...changes, uri: undefined });
  return (
    <Section title={t("Subject")}>
      <Parts
        name={t("Term")}
        parts={terms}
        onChange={(terms) => set({ terms })}
        adding={<Button onPress={add}>{t("Add a term")}</Button>}
      >
        {(term, change) => (
          <div className={controls.fieldRow}>
            <TextField
              label={t("Term")}
              value={term.term}
              onChange={(text) => change(renamed({ term: text }))}
            />
            <ValueField
              label={t("Type")}
              list={lists.subject_term_type}
              value={term.term_type}
              onChange={(term_type) => change(renamed({ term_type }))}
            />
          </div>
        )}
      </Parts>
      <ValueField
        label={t("Source")}
        list={lists.subject_source}
        value={mine.source}
        onChange={(source) => set({ source })}
      />
      <TextArea
        label={t("Scope note")}
        value={mine.scope_note ?? ""}
        onChange={(scope_note) => set({ scope_note })}
      />
    </Section>
  );
}

/** The members of a name that each kind of agent has, with their labels. */
const NAME_FIELDS: Record<string, readonly (readonly [keyof AgentName & string, string])[]> = {
  agent_person: [
    ["primary_name", msg("Family name")],
    ["rest_of_name", msg("Rest of the name")],
    ["title", msg("Title")],
    ["prefix", msg("Prefix")],
    ["suffix", msg("Suffix")],
  ],
  agent_family: [
    ["family_name", msg("Family name")],
    ["prefix", msg("Prefix")],
  ],
  agent_corporate_entity: [
    ["primary_name", msg("Name")],
    ["subordinate_name_1", msg("Subordinate name")],
    ["number", msg("Number")],
  ],
  agent_software: [
    ["software_name", msg("Name")],
    ["version", msg("Version")],
    ["manufacturer", msg("Manufacturer")],
  ],
};

export function AgentForm({ mine, set, lists }: FormProps<Agent>) {
  const names = mine.names ?? [];
  const notes = mine.notes ?? [];
  const fields = NAME_FIELDS[mine.jsonmodel_type] ?? [];
  const addHistory = () => {
    const text = { jsonmodel_type: "note_text", content: "", publish: true };
    set({
      notes: [...notes, { jsonmodel_type: "note_bioghist", publish: true, subnotes: [text] }],
    });
  };
  return (
    <>
      <Section title={t("Names")}>
        <Parts
          name={t("Name")}
          parts={names}
          onChange={(names) => set({ names })}
          adding={
            <Button
              onPress={() =>
                set({
                  names: [...names, { ...names[0], authorized: false, is_display_name: false }],
                })
              }
            >
              {t("Add a name")}
            </Button>
          }
        >
          {(name, change) => (
            <div className={controls.fieldRow}>
              {fields.map(([field, label]) => (
                <TextField
                  key={field}
                  label={t(label)}
                  value={String(name[field] ?? "")}
                  onChange={(text) => change({ [field]: text })}
                />
              ))}
              <TextField
                label={t("Dates")}
                value={name.dates ?? ""}
                onChange={(dates) => change({ dates })}
              />
              <ValueField
                label={t("Source")}
                list={lists.name_source}
                value={name.source}
                onChange={(source) => change({ source })}
              />
              <ValueField
                label={t("Rules")}
                list={lists.name_rule}
                value={name.rules}
                onChange={(rules) => change({ rules })}
              />
            </div>
          )}
        </Parts>
        <Checkbox
          label={t("Published")}
          isSelected={mine.publish ?? false}
          onChange={(publish) => set({ publish })}
        />
      </Section>
      <Section title={t("Notes")}>
        <Parts
          name={t("Note")}
          parts={notes}
          onChange={(notes) => set({ notes })}
          adding={
            <Button onPress={addHistory}>{t("Add a biographical or historical note")}</Button>
          }
        >
          {(note, change) =>
            textsOf(note).map((text, at) => (
              <TextArea
                // biome-ignore lint/suspicious/noArrayIndexKey: texts have no names of their own
                key={at}
                label={t("Text")}
                value={text}
                onChange={(text) => change(withText(note, at, text))}
              />
            ))
          }
        </Parts>
      </Section>
    </>
  );
}

const ACCESSION_TEXTS = [
  ["content_description", msg("Content")],
  ["condition_description", msg("Condition")],
  ["provenance", msg("Provenance")],
  ["general_note", msg("General note")],
] as const;

export function AccessionFields({ mine, set }: FormProps<Description>) {
  return (
    <Section title={t("Accession")}>
      <TextField
        label={t("Date received")}
        value={String(mine.accession_date ?? "")}
        onChange={(accession_date) => set({ accession_date })}
      />
      {ACCESSION_TEXTS.map(([name, label]) => (
        <TextArea
          key={name}
          label={t(label)}
          value={String(mine[name] ?? "")}
          onChange={(text) => set({ [name]: text })}
        />
      ))}
    </Section>
  );
}
