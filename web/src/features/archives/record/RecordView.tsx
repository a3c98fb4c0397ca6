/** A record as it is read: facts, notes, containers, links. */
import type { ReactNode } from "react";
import type {
  Agent,
  AnyRecord,
  DateOfRecord,
  Description,
  Extent,
  Instance,
  Note,
  Subject,
} from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { type Fact, Facts, Section } from "../../../ui/Detail";
import { inWords, plainText } from "../values";
import { ContainerView } from "./ContainerView";
import { Linked, RecordLink } from "./Linked";
import { lastChange } from "./lastChange";
import { linesOf, paragraphsOf, textsOf } from "./notes";
import styles from "./Record.module.css";

interface Props {
  record: AnyRecord;
  repository: number;
}

export function RecordView({ record, repository }: Props) {
  const kind = record.jsonmodel_type;
  if (kind === "top_container") return <ContainerView container={record} repository={repository} />;
  if (kind === "subject") return <SubjectView subject={record} />;
  if (kind.startsWith("agent_")) return <AgentView agent={record} />;
  return <DescriptionView description={record} repository={repository} />;
}

function DescriptionView({
  description,
  repository,
}: {
  description: Description;
  repository: number;
}) {
  const { instances = [], notes = [], subjects = [], linked_agents = [] } = description;
  return (
    <>
      <Section title={t("Description")}>
        <Facts facts={factsOf(description)} />
      </Section>
      {instances.length > 0 && (
        <Section title={t("Containers")}>
          <ul className={styles.items}>
            {instances.map((instance) => (
              <li key={JSON.stringify(instance)}>
                <InstanceLine instance={instance} repository={repository} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {notes.length > 0 && (
        <Section title={t("Notes")}>
          {notes.map((note, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is the record's
            <NoteText key={at} note={note} />
          ))}
        </Section>
      )}
      {subjects.length > 0 && (
        <Section title={t("Subjects")}>
          <Linked links={subjects} repository={repository} />
        </Section>
      )}
      {linked_agents.length > 0 && (
        <Section title={t("Agents")}>
          <Linked
            links={linked_agents}
            repository={repository}
            detail={(agent) => inWords((agent as { role?: string }).role)}
          />
        </Section>
      )}
    </>
  );
}

function factsOf(description: Description): Fact[] {
  const { level, other_level, dates = [], extents = [], publish, suppressed } = description;
  const texts = ["content_description", "condition_description", "provenance", "general_note"];
  return [
    [t("Identifier"), identifierOf(description)],
    [t("Level"), inWords(other_level ?? level)],
    [t("Date received"), textOf(description.accession_date)],
    [t("Dates"), dates.map(dateInWords).join("; ")],
    [t("Extents"), extents.map(extentInWords).join("; ")],
    ...texts.map((name) => [inWords(name), textOf(description[name])] as const),
    [t("Published"), publishedInWords(publish, description.has_unpublished_ancestor)],
    [t("Suppressed"), suppressed ? t("Yes") : undefined],
    [t("Last changed"), lastChange(description)],
  ];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

function publishedInWords(
  publish: boolean | undefined,
  isBelowUnpublished: boolean | undefined,
): string {
  if (!publish) return t("No");
  return isBelowUnpublished ? t("Yes, but a record above it is not") : t("Yes");
}

export function identifierOf(description: Description): string {
  const { id_0, id_1, id_2, id_3, component_id, digital_object_id } = description;
  const parts = [id_0, id_1, id_2, id_3].filter(Boolean).join("-");
  return parts || component_id || textOf(digital_object_id) || "";
}

export function dateInWords({
  expression,
  begin,
  end,
  label = "creation",
}: Partial<DateOfRecord>): string {
  const text = expression ?? [begin, end].filter(Boolean).join("–");
  return label === "creation" ? text : `${text} (${inWords(label).toLowerCase()})`;
}

export function extentInWords({ number, extent_type, container_summary }: Extent): string {
  const text = `${number} ${inWords(extent_type).toLowerCase()}`;
  return container_summary ? `${text} (${container_summary})` : text;
}

export function NoteText({ note }: { note: Note }) {
  const name = note.label ?? inWords(note.type ?? note.jsonmodel_type.replace(/^note_/, ""));
  return (
    <div className={styles.note}>
      <h3>
        {name}
        {note.publish === false && ` (${t("not published")})`}
      </h3>
      {textsOf(note)
        .flatMap(paragraphsOf)
        .map((paragraph) => (
          <p key={paragraph} className={styles.paragraph}>
            {paragraph}
          </p>
        ))}
      <Lines lines={linesOf(note)} />
    </div>
  );
}

function Lines({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.items}>
      {lines.map((line) => (
        <li key={line}>{plainText(line)}</li>
      ))}
    </ul>
  );
}

function InstanceLine({ instance, repository }: { instance: Instance; repository: number }) {
  const { sub_container: container, digital_object } = instance;
  const link = container?.top_container ?? digital_object;
  const within =
    container?.indicator_2 && `, ${inWords(container.type_2)} ${container.indicator_2}`;
  return (
    <>
      {link && <RecordLink link={link} repository={repository} />}
      {within} ({inWords(instance.instance_type)})
    </>
  );
}

function SubjectView({ subject }: { subject: Subject }) {
  const facts: Fact[] = [
    ...(subject.terms ?? []).map(({ term, term_type }): Fact => [inWords(term_type), term]),
    [t("Source"), inWords(subject.source)],
    [t("Scope note"), subject.scope_note],
    [t("Last changed"), lastChange(subject)],
  ];
  return (
    <Section title={t("Subject")}>
      <Facts facts={facts} />
    </Section>
  );
}

function AgentView({ agent }: { agent: Agent }) {
  const { names = [], notes = [] } = agent;
  const names_: ReactNode = (
    <ul className={styles.items}>
      {names.map((name) => (
        <li key={String(name.sort_name)}>{String(name.sort_name)}</li>
      ))}
    </ul>
  );
  const facts: Fact[] = [
    [t("Type"), inWords(agent.jsonmodel_type)],
    [t("Names"), names_],
    [t("Source"), inWords(names[0]?.source)],
    [t("Rules"), inWords(names[0]?.rules)],
    [t("Published"), agent.publish ? t("Yes") : t("No")],
    [t("Last changed"), lastChange(agent)],
  ];
  return (
    <>
      <Section title={t("Agent")}>
        <Facts facts={facts} />
      </Section>
      {notes.length > 0 && (
        <Section title={t("Notes")}>
          {notes.map((note, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is the record's
            <NoteText key={at} note={note} />
          ))}
        </Section>
      )}
    </>
  );
}
