import type { Description, Reference } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { linkedTitle } from "../values";
import type { FormProps } from "./forms";
import { LinkField } from "./LinkField";
import { Parts } from "./Parts";
import { ValueField } from "./ValueField";

/** What a link shows until the record is read again. */
const reference = (ref: string, title: string): Reference => ({
  ref,
  _resolved: { uri: ref, jsonmodel_type: "", lock_version: 0, title },
});

export function SubjectLinks({ mine, set, repository }: FormProps<Description>) {
  const subjects = mine.subjects ?? [];
  return (
    <Parts
      name={t("Subject")}
      parts={subjects}
      onChange={(subjects) => set({ subjects })}
      adding={
        <LinkField
          key={subjects.length}
          label={t("Add a subject")}
          repository={repository}
          types={["subject"]}
          onChange={(ref, title) => set({ subjects: [...subjects, reference(ref, title)] })}
        />
      }
    >
      {(subject) => <span>{linkedTitle(subject)}</span>}
    </Parts>
  );
}

export function AgentLinks({ mine, set, lists, repository }: FormProps<Description>) {
  const agents = mine.linked_agents ?? [];
  return (
    <Parts
      name={t("Agent")}
      parts={agents}
      onChange={(linked_agents) => set({ linked_agents })}
      adding={
        <LinkField
          key={agents.length}
          label={t("Add an agent")}
          repository={repository}
          types={["agent"]}
          onChange={(ref, title) =>
            set({ linked_agents: [...agents, { ...reference(ref, title), role: "creator" }] })
          }
        />
      }
    >
      {(agent, change) => (
        <>
          <span>{linkedTitle(agent)}</span>
          <ValueField
            label={t("Role")}
            list={lists.linked_agent_role}
            value={agent.role}
            onChange={(role) => change({ role })}
          />
        </>
      )}
    </Parts>
  );
}
