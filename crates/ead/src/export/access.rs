//! Agents and subjects: `origination` and `controlaccess` (section 6.2).

use super::Description;
use crate::read::{Json, is, list, text};
use crate::xml::Attributes;

/// Elements for the kinds of agents.
const AGENTS: [(&str, &str); 4] = [
    ("agent_person", "persname"),
    ("agent_family", "famname"),
    ("agent_corporate_entity", "corpname"),
    ("agent_software", "name"),
];

/// Elements for the types of a subject's first term; the others have none.
const TERMS: [(&str, &str); 8] = [
    ("function", "function"),
    ("genre_form", "genreform"),
    ("style_period", "genreform"),
    ("geographic", "geogname"),
    ("cultural_context", "geogname"),
    ("occupation", "occupation"),
    ("topical", "subject"),
    ("uniform_title", "title"),
];

/// An agent or subject as an element.
struct Heading<'v> {
    element: &'static str,
    role: Option<&'v str>,
    /// The record with `source`, `rules` and `authority_id`: an agent's name, a subject.
    authority: &'v Json<'v>,
    internal: bool,
    content: String,
}

impl Description<'_> {
    pub(super) fn origination(&mut self, record: &Json) {
        let linked = self.options.linked.clone();
        for link in list(record, "linked_agents") {
            let role = match text(link, "role") {
                Some("creator") => "Creator",
                Some("source") => "source",
                _ => continue,
            };
            let Some(agent) = linked.record(link) else { continue };
            let published = is(agent, "publish", true);
            if !published && !self.options.include_unpublished {
                continue;
            }
            let Some(heading) = agent_heading(agent, text(link, "relator")) else { continue };
            self.xml.open("origination", &[("label", Some(role)), ("audience", (!published).then_some("internal"))]);
            self.heading(&heading);
            self.xml.close("origination");
        }
    }

    pub(super) fn controlaccess(&mut self, record: &Json) {
        let linked = self.options.linked.clone();
        let subjects = list(record, "subjects").iter().filter_map(|link| linked.record(link));
        let subjects = subjects.filter_map(subject_heading);
        let agents = list(record, "linked_agents").iter();
        let agents = agents.filter_map(|link| self.agent_access(link, linked.record(link)?));
        let headings: Vec<Heading> = subjects.chain(agents).collect();
        if headings.is_empty() {
            return;
        }
        self.xml.open("controlaccess", &[]);
        for heading in &headings {
            self.heading(heading);
        }
        self.xml.close("controlaccess");
    }

    fn agent_access<'v>(&self, link: &'v Json<'v>, agent: &'v Json<'v>) -> Option<Heading<'v>> {
        let role = text(link, "role");
        if role == Some("creator") || !self.shows(agent) {
            return None;
        }
        let relator = text(link, "relator").or((role == Some("source")).then_some("fmo"));
        let mut heading = agent_heading(agent, relator)?;
        for term in list(link, "terms").iter().filter_map(|term| text(term, "term")) {
            heading.content.push_str(" -- ");
            heading.content.push_str(term);
        }
        heading.internal = is(agent, "publish", false);
        Some(heading)
    }

    fn heading(&mut self, heading: &Heading) {
        let (role, number) = if self.ead3() { ("relator", "identifier") } else { ("role", "authfilenumber") };
        let attributes = [
            (role, heading.role),
            ("source", text(heading.authority, "source")),
            ("rules", text(heading.authority, "rules")),
            (number, text(heading.authority, "authority_id")),
            ("audience", heading.internal.then_some("internal")),
        ];
        self.name(heading.element, &attributes, &heading.content);
    }

    /// A name, term or title, which EAD3 has in parts.
    pub(super) fn name(&mut self, element: &str, attributes: Attributes, content: &str) {
        self.xml.open(element, attributes);
        if self.ead3() {
            self.mixed("part", &[], content);
        } else {
            self.content(element, content, false);
        }
        self.xml.close(element);
    }
}

fn lookup(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == key).map(|(_, element)| *element)
}

fn agent_heading<'v>(agent: &'v Json<'v>, role: Option<&'v str>) -> Option<Heading<'v>> {
    let kind = text(agent, "agent_type").or_else(|| text(agent, "jsonmodel_type"))?;
    let names = list(agent, "names");
    let name = agent.get("display_name").filter(|name| name.is_object());
    let name = name.or_else(|| names.iter().find(|name| is(name, "is_display_name", true))).or(names.first())?;
    let content = text(name, "sort_name")?.to_owned();
    Some(Heading { element: lookup(&AGENTS, kind)?, role, authority: name, internal: false, content })
}

fn subject_heading<'v>(subject: &'v Json<'v>) -> Option<Heading<'v>> {
    let terms = list(subject, "terms");
    let element = lookup(&TERMS, text(terms.first()?, "term_type")?)?;
    let words: Vec<&str> = terms.iter().filter_map(|term| text(term, "term")).collect();
    Some(Heading { element, role: None, authority: subject, internal: false, content: words.join(" -- ") })
}
