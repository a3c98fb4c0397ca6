//! The documents of an authority: one for each heading, with what all have in common.

use std::collections::HashSet;

use authorities::headings::{self, Found, Standing};
use search::document::{Document, Values};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::options::{AUTHORITIES, LISTED};
use crate::{
    dates,
    document::{CANCELED_LCCN, LCCN, add, whole},
    forms,
    options::{Form, Kind, Role},
};

/// What documents need beside the records.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub(super) tenant: String,
    /// The ids of types of identifiers that are numbers of the Library of Congress, and of those that are cancelled ones.
    pub(super) lccn: HashSet<String>,
    pub(super) canceled_lccn: HashSet<String>,
}

/// Stands for a source file, where there is none.
pub(super) const NO_FILE: &str = "NULL";
/// The kind of a record without headings; it has no standing.
pub(super) const OTHER: &str = "Other";

/// The documents of an authority. A record without headings has one, too.
pub(super) fn documents(id: Uuid, record: &Map<String, Value>, names: &Names) -> Vec<Document> {
    priority::give_way();
    let found = headings::all(record);
    let mut documents: Vec<Document> =
        found.iter().enumerate().map(|(place, heading)| document(id, place, record, Some(heading), names)).collect();
    if documents.is_empty() {
        documents.push(document(id, 0, record, None, names));
    }
    documents
}

fn document(
    id: Uuid,
    place: usize,
    record: &Map<String, Value>,
    heading: Option<&Found<'_>>,
    names: &Names,
) -> Document {
    let id = id.to_string();
    let mut hidden = Values::default();
    for option in AUTHORITIES.options.iter().filter(|option| option.role != Role::Id) {
        for value in values(option.name, record, heading, names) {
            let value = match option.kind {
                Kind::Term | Kind::Raw => whole(option.kind, &value),
                _ => value,
            };
            add(option, &value, &[], &mut hidden);
        }
    }
    // The names are no fields, so nothing of it but the id is indexed twice.
    let mut shown = Map::from_iter([("id".to_owned(), Value::from(id.as_str()))]);
    if let Some(heading) = heading {
        shown.insert("member".to_owned(), heading.member.into());
        shown.insert("text".to_owned(), heading.text.into());
        shown.insert("kind".to_owned(), heading.of.kind.into());
        shown.insert("standing".to_owned(), heading.standing.name().into());
    }
    for (name, member) in [("file", "sourceFileId"), ("number", "naturalId")] {
        if let Some(value) = record.get(member) {
            shown.insert(name.to_owned(), value.clone());
        }
    }
    Document { id: format!("{id}/{place}"), source: id, shown: shown.into(), hidden }
}

fn values(name: &str, record: &Map<String, Value>, heading: Option<&Found<'_>>, names: &Names) -> Vec<String> {
    let text = || heading.map(|heading| heading.text.to_owned()).into_iter().collect();
    match name {
        "headingRef" | "headingTermRef" => text(),
        "headingType" => vec![heading.map_or(OTHER, |heading| heading.of.kind).to_owned()],
        "authRefType" => heading.map(|heading| heading.standing.name().to_owned()).into_iter().collect(),
        "isTitleHeadingRef" => vec![heading.is_some_and(|heading| heading.of.has_title).to_string()],
        LISTED => {
            let listed = heading.filter(|heading| heading.standing != Standing::Related);
            listed.map(|_| true.to_string()).into_iter().collect()
        }
        "tenantId" => vec![names.tenant.clone()],
        "shared" => vec![false.to_string()],
        "sourceFileId" => {
            let file = record.get(name).and_then(Value::as_str);
            vec![file.unwrap_or(NO_FILE).to_owned()]
        }
        "lccn" => lccn(record, &names.lccn),
        "canceledLccn" => lccn(record, &names.canceled_lccn),
        "metadata.createdDate" | "metadata.updatedDate" => {
            let moments = of_record(record, name).into_iter();
            moments.filter_map(|moment| dates::span(&moment)).map(|(from, _)| dates::stored(from)).collect()
        }
        "naturalId"
        | "subjectHeadings"
        | "identifiers.value"
        | "identifiers.identifierTypeId"
        | "metadata.createdByUserId"
        | "metadata.updatedByUserId" => of_record(record, name),
        member => match heading.filter(|heading| heading.member == member) {
            Some(_) => text(),
            None => Vec::new(),
        },
    }
}

fn of_record(record: &Map<String, Value>, path: &str) -> Vec<String> {
    let (member, rest) = path.split_once('.').unwrap_or((path, ""));
    record.get(member).map_or_else(Vec::new, |value| texts(value, rest))
}

/// The texts at a path, through all lists on the way.
fn texts(value: &Value, path: &str) -> Vec<String> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::Array(values) => values.iter().flat_map(|value| texts(value, path)).collect(),
        Value::Object(members) if !name.is_empty() => {
            members.get(name).map_or_else(Vec::new, |value| texts(value, rest))
        }
        Value::String(text) if name.is_empty() => vec![text.clone()],
        Value::Bool(_) | Value::Number(_) if name.is_empty() => vec![value.to_string()],
        _ => Vec::new(),
    }
}

fn lccn(record: &Map<String, Value>, types: &HashSet<String>) -> Vec<String> {
    let all = record.get("identifiers").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_type = all.iter().filter(|one| one["identifierTypeId"].as_str().is_some_and(|id| types.contains(id)));
    of_type.filter_map(|one| one["value"].as_str()).flat_map(|value| forms::values(Form::Lccn, value)).collect()
}

impl Names {
    /// `types`: the names of all types of identifiers, by their ids.
    pub(super) fn of(tenant: &str, types: &Value) -> Self {
        let named = |names: &[&str]| {
            let types = types.as_object().into_iter().flatten();
            let named = types.filter(|(_, name)| name.as_str().is_some_and(|name| names.contains(&name)));
            named.map(|(id, _)| id.clone()).collect()
        };
        Self { tenant: tenant.to_owned(), lccn: named(LCCN), canceled_lccn: named(CANCELED_LCCN) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values_of(document: &Document, column: &str) -> Vec<String> {
        document.hidden.iter().filter(|(name, _)| *name == column).map(|(_, value)| value.to_owned()).collect()
    }

    #[test]
    fn a_heading_has_its_own_and_the_records_values() {
        let record = json!({"personalNameTitle": "Ümlaut. Works", "sftTopicalTerm": ["A", "B"], "saftGenreTerm": ["C"],
            "naturalId": "N 1", "subjectHeadings": "A", "identifiers": [{"value": " n  12", "identifierTypeId": "t"}]});
        let names = Names::of("diku", &json!({"t": "Canceled LCCN", "u": "LCCN"}));
        let made = documents(Uuid::nil(), record.as_object().unwrap(), &names);
        assert_eq!(made.len(), 4);
        let of = |place: usize, column| values_of(&made[place], column);
        assert_eq!(of(0, "headingRef"), ["umlaut. works"]);
        assert_eq!(of(0, "personalNameTitle"), ["Ümlaut. Works"]);
        assert_eq!(
            (of(0, "isTitleHeadingRef"), of(1, "isTitleHeadingRef")),
            (vec!["true".to_owned()], vec!["false".to_owned()])
        );
        assert_eq!(
            (of(1, "authRefType"), of(1, "sftTopicalTerm")),
            (vec!["reference".to_owned()], vec!["A".to_owned()])
        );
        assert_eq!(
            (of(3, LISTED), of(3, "lccn"), of(3, "canceledLccn"), of(3, "sourceFileId")),
            (vec![], vec!["n12".to_owned()], vec!["n12".to_owned()], vec!["NULL".to_owned()])
        );
        assert_eq!((of(3, "headingType"), of(3, "subjectHeadings")), (vec!["Genre".to_owned()], vec!["a".to_owned()]));
        let bare = documents(Uuid::nil(), json!({"naturalId": "1"}).as_object().unwrap(), &names);
        assert_eq!((bare.len(), values_of(&bare[0], "headingType")), (1, vec![OTHER.to_owned()]));
        assert!(values_of(&bare[0], "authRefType").is_empty());
    }
}
