//! Agents and subjects (section 6.4).

use serde_json::{Value, json};

use super::ImportError;
use super::build::{Build, Draft, NAME, object};
use super::tree::Element;

/// Elements that name an agent: the agent's type, its path, its name's type and main field.
const AGENTS: [(&str, [&str; 4]); 3] = [
    ("persname", ["agent_person", "/agents/people", "name_person", "primary_name"]),
    ("famname", ["agent_family", "/agents/families", "name_family", "family_name"]),
    ("corpname", ["agent_corporate_entity", "/agents/corporate_entities", "name_corporate_entity", "primary_name"]),
];

/// Elements that name a subject, and the type of its term.
const SUBJECTS: [(&str, &str); 6] = [
    ("function", "function"),
    ("genreform", "genre_form"),
    ("geogname", "geographic"),
    ("occupation", "occupation"),
    ("subject", "topical"),
    ("title", "uniform_title"),
];

impl Build<'_> {
    /// The names in an `origination` (creators) or `controlaccess` (subjects), at any depth.
    pub(super) fn headings(&mut self, draft: &mut Draft, element: &Element, role: &str) -> Result<(), ImportError> {
        for child in element.elements() {
            let agent = AGENTS.iter().find(|(name, _)| *name == child.name());
            let subject = SUBJECTS.iter().find(|(name, _)| *name == child.name() && role == "subject");
            if child.is_blank() {
                continue;
            }
            match (agent, subject) {
                (Some((_, kind)), _) => self.agent(draft, child, kind, role)?,
                (_, Some((_, kind))) => self.subject(draft, child, kind)?,
                _ => self.headings(draft, child, role)?,
            }
        }
        Ok(())
    }

    fn agent(
        &mut self,
        draft: &mut Draft,
        element: &Element,
        [kind, path, model, field]: &[&str; 4],
        role: &str,
    ) -> Result<(), ImportError> {
        let content = self.limited(draft, element.line(), element.name(), element.plain(), NAME)?;
        let own = |key: &str| element.attribute(key).map(str::to_owned);
        let mut name = object(
            model,
            [
                (*field, Some(content)),
                ("rules", own("rules")),
                ("authority_id", own("authfilenumber")),
                ("source", own("source").or(Some("ingest".to_owned()))),
            ],
        );
        if *kind == "agent_person" {
            name["name_order"] = "inverted".into();
        }
        name["sort_name_auto_generate"] = true.into();
        let publish = element.attribute("audience") == Some("external");
        let agent = json!({"jsonmodel_type": kind, "agent_type": kind, "publish": publish, "names": [name]});
        let uri = self.shared(agent.to_string(), path, agent, element.line());
        let mut link = json!({"ref": uri, "role": role});
        if let Some(relator) = element.attribute("role") {
            link["relator"] = self.value("linked_agent_archival_record_relators", relator).into();
        }
        draft.push("linked_agents", link);
        Ok(())
    }

    fn subject(&mut self, draft: &mut Draft, element: &Element, kind: &str) -> Result<(), ImportError> {
        let term = self.limited(draft, element.line(), element.name(), element.plain(), NAME)?;
        let subject: Value = json!({
            "jsonmodel_type": "subject",
            "vocabulary": "/vocabularies/1",
            "source": element.attribute("source").unwrap_or("ingest"),
            "terms": [{"jsonmodel_type": "term", "term": term, "term_type": kind, "vocabulary": "/vocabularies/1"}],
        });
        let uri = self.shared(subject.to_string(), "/subjects", subject, element.line());
        draft.push("subjects", json!({"ref": uri}));
        Ok(())
    }
}
