//! Whom an agent is related to, and what it made.

use serde_json::{Map, Value, json};

use super::{
    super::{
        element::Element,
        record::{Batch, object, push, set, set_text},
    },
    parts::{Kind, formatted, linked, put_dates, subject},
};

/// Agents that this one is related to.
pub(super) fn relations(eac: &Element, own: Kind, agent: &mut Map<String, Value>, batch: &mut Batch<'_, '_>) {
    let kinds = [("person", Kind::Person), ("corporatebody", Kind::Body), ("family", Kind::Family)];
    for (role, kind) in kinds {
        for relation in eac.find("relations").flat_map(|relations| relations.children("cpfRelation")) {
            if !relation.attribute("role").unwrap_or_default().to_lowercase().contains(role) {
                continue;
            }
            for entry in relation.children("relationEntry").filter(|entry| !entry.text().trim().is_empty()) {
                let link = related(relation, entry, own, kind, batch);
                push(agent, "related_agents", Value::Object(link));
            }
        }
    }
}

fn related(
    relation: &Element,
    entry: &Element,
    own: Kind,
    kind: Kind,
    batch: &mut Batch<'_, '_>,
) -> Map<String, Value> {
    let text = entry.text();
    let mut name = object(&format!("name_{}", kind.name()));
    set(&mut name, "source", json!("ingest"));
    set(&mut name, "authorized", json!(true));
    set(&mut name, "is_display_name", json!(true));
    match kind {
        Kind::Person => {
            let (first, rest) = text.split_once(',').unwrap_or((&text, ""));
            set(&mut name, "name_order", json!(if rest.trim().is_empty() { "direct" } else { "inverted" }));
            set_text(&mut name, "primary_name", Some(first));
            set_text(&mut name, "rest_of_name", Some(rest.trim_start()));
        }
        Kind::Family => set_text(&mut name, "family_name", Some(text)),
        Kind::Body => set_text(&mut name, "primary_name", Some(text)),
    }
    let mut other = object(&format!("agent_{}", kind.name()));
    push(&mut other, "names", Value::Object(name));
    let address = batch.add(kind.path(), other);
    let (model, relator) = relationship(relation.attribute("cpfRelationType").unwrap_or_default(), own, kind);
    let mut link = object(&format!("agent_relationship_{model}"));
    set(&mut link, "relator", json!(relator));
    set(&mut link, "ref", json!(address));
    let exact = relation.attribute("arcrole").filter(|exact| !exact.is_empty());
    match exact.filter(|exact| exact.contains("://")) {
        Some(uri) => {
            set_text(&mut link, "relationship_uri", Some(uri));
            set_text(&mut link, "specific_relator", uri.split_once('#').map(|(_, fragment)| fragment));
        }
        None => set_text(&mut link, "specific_relator", exact),
    }
    set_text(&mut link, "description", relation.child("descriptiveNote").map(formatted));
    link
}

/// The kind of a relation and what the other agent is in it.
fn relationship(kind: &str, own: Kind, other: Kind) -> (&'static str, &'static str) {
    let same = own == other;
    match (kind, other) {
        ("identity", _) => ("identity", "is_identified_with"),
        ("hierarchical", _) => ("hierarchical", "is_hierarchical_with"),
        ("hierarchical-parent", Kind::Person | Kind::Family) if same => ("parentchild", "is_parent_of"),
        ("hierarchical-child", Kind::Person | Kind::Family) if same => ("parentchild", "is_child_of"),
        ("hierarchical-parent", Kind::Body) if same => ("subordinatesuperior", "is_superior_of"),
        ("hierarchical-child", Kind::Body) if same => ("subordinatesuperior", "is_subordinate_to"),
        ("temporal", _) => ("temporal", "is_temporal_with"),
        ("temporal-earlier", _) => ("earlierlater", "is_earlier_form_of"),
        ("temporal-later", _) => ("earlierlater", "is_later_form_of"),
        ("family", _) => ("family", "is_related_with"),
        _ => ("associative", "is_associative_with"),
    }
}

/// What the agent made or is written about in.
pub(super) fn resources(eac: &Element, agent: &mut Map<String, Value>, batch: &mut Batch<'_, '_>) {
    for relation in eac.find("relations").flat_map(|relations| relations.children("resourceRelation")) {
        for entry in relation.children("relationEntry").filter(|entry| !entry.text().trim().is_empty()) {
            let mut record = linked("agent_resource", relation);
            let role = match relation.attribute("resourceRelationType") {
                Some("creatorOf") => "creator",
                Some("subjectOf") => "subject",
                _ => "source",
            };
            set(&mut record, "linked_agent_role", json!(role));
            set_text(&mut record, "linked_resource", Some(entry.text()));
            let note = relation.child("descriptiveNote").map(formatted);
            set_text(&mut record, "linked_resource_description", note);
            for place in relation.children("placeEntry").filter_map(|place| subject(place, "geographic", batch)) {
                push(&mut record, "places", json!({"ref": place}));
            }
            put_dates(relation, &mut record);
            push(agent, "agent_resources", Value::Object(record));
        }
    }
}
