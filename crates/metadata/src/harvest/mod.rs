//! What harvesters get of resources and archival objects (OAI-PMH): Dublin Core simple and qualified, MODS and MARCXML.
//! Only what is published.

mod inheritance;
mod mods;
mod terms;
mod texts;

use record_xml::{
    Lists,
    json::{identifier, is, list, resolved, text},
};
use serde_json::Value;

use crate::{
    marc::{Marc, marc},
    publishing::hide_below_unpublished,
};

/// A format of single records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harvest {
    DublinCore,
    /// Qualified Dublin Core.
    DublinCoreTerms,
    Marc,
    Mods,
}

/// A resource or archival object in a format, as one element. The record needs its repository, agents, subjects, resource
/// and ancestors (with their agents) resolved; what an archival object does not say comes from its ancestors. `site` is
/// where readers find records, before their addresses.
pub fn harvested(mut record: Value, format: Harvest, lists: &dyn Lists, site: &str) -> String {
    inheritance::inherit(&mut record);
    if format == Harvest::Marc {
        let document = marc(record, Marc { include_unpublished: false, lists });
        let element = document.split_once("?>").map_or(document.as_str(), |(_, element)| element);
        return element.trim().to_owned();
    }
    hide_below_unpublished(&mut record);
    match format {
        Harvest::DublinCore => terms::write(&record, &terms::SIMPLE, lists, site),
        Harvest::DublinCoreTerms => terms::write(&record, &terms::QUALIFIED, lists, site),
        Harvest::Mods | Harvest::Marc => mods::write(&record, lists),
    }
}

/// The identifier of a resource, or those of a component and of all above it.
fn joined_identifier(record: &Value) -> String {
    if !is_component(record) {
        return identifier(record);
    }
    let above = list(record, "ancestors").iter().filter_map(resolved);
    let own = std::iter::once(record).chain(above).filter_map(|part| text(part, "component_id"));
    let mut parts: Vec<&str> = own.collect();
    parts.reverse();
    let mut once: Vec<&str> = Vec::new();
    for part in parts {
        if !once.contains(&part) {
            once.push(part);
        }
    }
    once.join(".")
}

fn is_component(record: &Value) -> bool {
    text(record, "jsonmodel_type") == Some("archival_object")
}

/// The agents that readers may see, with how they are linked.
fn agents(record: &Value) -> impl Iterator<Item = (&Value, &str)> {
    list(record, "linked_agents").iter().filter_map(|link| {
        let agent = resolved(link).filter(|agent| is(agent, "publish", true))?;
        Some((link, text(agent, "title")?))
    })
}

/// The resource that a component is of, by title and identifier.
fn collection(record: &Value) -> Option<String> {
    let resource = record.get("resource").and_then(resolved).filter(|_| is_component(record))?;
    Some(format!("{}, {}", text(resource, "title").unwrap_or_default(), identifier(resource)))
}

/// An extent: `10 Volumes; in 2 boxes`.
fn extent_text(extent: &Value, lists: &dyn Lists) -> String {
    let kind = text(extent, "extent_type").unwrap_or_default();
    let label = lists.label("extent_extent_type", kind).unwrap_or(kind);
    let number = text(extent, "number").unwrap_or_default();
    let summary = text(extent, "container_summary").map(|summary| format!("; {summary}")).unwrap_or_default();
    format!("{number} {label}{summary}")
}

/// The notes that have one of these types.
fn notes_of<'v>(record: &'v Value, types: &'static [&'static str]) -> impl Iterator<Item = &'v Value> {
    list(record, "notes").iter().filter(move |note| text(note, "type").is_some_and(|kind| types.contains(&kind)))
}
