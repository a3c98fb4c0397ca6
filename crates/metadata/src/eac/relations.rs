//! `relations` to resources elsewhere and to other agents, and `alternativeSet`.

use record_xml::json::{list, resolved, text};
use serde_json::Value;

use super::{Writing, file_attributes, verified};

impl Writing<'_> {
    /// Resources that are described elsewhere.
    pub(super) fn resources(&mut self, agent: &Value) {
        for resource in list(agent, "agent_resources") {
            let Some(title) = text(resource, "linked_resource") else { continue };
            let role = match text(resource, "linked_agent_role") {
                Some("creator") => "creatorOf",
                Some("subject") => "subjectOf",
                _ => "other",
            };
            let seen = verified(resource);
            let mut attributes = vec![("resourceRelationType", Some(role))];
            attributes.extend(file_attributes(resource));
            attributes.push(("lastDateTimeVerified", seen.as_deref()));
            self.xml.open("resourceRelation", &attributes);
            self.xml.plain("relationEntry", &[], title);
            list(resource, "dates").iter().for_each(|date| self.date(date));
            self.places(resource);
            self.xml.close("resourceRelation");
        }
    }

    /// Related agents, and what they are to this one.
    pub(super) fn agents(&mut self, agent: &Value, site: &str) {
        for link in list(agent, "related_agents") {
            let Some(other) = resolved(link) else { continue };
            let shown = &other["display_name"];
            let names = ["primary_name", "family_name", "software_name"];
            let Some(name) = names.iter().find_map(|member| text(shown, member)) else { continue };
            let kind = match text(link, "relator").unwrap_or_default() {
                "is_identified_with" => "identity",
                "is_hierarchical_with" => "hierarchical",
                "is_parent_of" | "is_superior_of" => "hierarchical-parent",
                "is_child_of" | "is_subordinate_to" => "hierarchical-child",
                "is_temporal_with" => "temporal",
                "is_earlier_form_of" => "temporal-earlier",
                "is_later_form_of" => "temporal-later",
                "is_related_with" => "family",
                _ => "associative",
            };
            let address = format!("{site}{}", text(other, "uri").unwrap_or_default());
            let attributes = [
                ("cpfRelationType", Some(kind)),
                ("xlink:arcrole", text(link, "relationship_uri")),
                ("xlink:type", Some("simple")),
                ("xlink:href", Some(address.as_str())),
            ];
            self.xml.open("cpfRelation", &attributes);
            self.xml.plain("relationEntry", &[], name);
            self.descriptive_note(text(link, "description"));
            self.xml.close("cpfRelation");
        }
    }

    /// Descriptions of the agent in other systems.
    pub(super) fn alternative_sets(&mut self, agent: &Value) {
        self.within("alternativeSet", list(agent, "agent_alternate_sets"), |writing, set| {
            writing.linked_file("setComponent", "componentEntry", set, "set_component");
        });
    }
}
