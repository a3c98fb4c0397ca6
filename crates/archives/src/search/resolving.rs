//! `resolve[]` of searches (contract 8.1): documents that are put into those that are found.

use std::collections::BTreeSet;

use search::query::Query;
use serde_json::{Map, Value, json};

use super::{
    Archives,
    document::PUBLIC_END,
    gathering::gather,
    printed::{add_records, take},
    run::matching,
};
use crate::refusal::Refusal;

/// How many documents are put in at most.
const MOST: usize = 500;
/// The form of a document that is just enough to name its record, and the members of the record that it has.
const COMPACT: &str = "compact_resource";
const NAMES: [&str; 10] =
    ["display_string", "id_0", "id_1", "id_2", "id_3", "level", "other_level", "publish", "title", "uri"];

/// `field:other_field@form`.
pub(super) struct Resolving<'d> {
    /// The field of the documents that are found.
    field: &'d str,
    /// The field of others that has one of its values.
    other: &'d str,
    is_compact: bool,
}

impl<'d> Resolving<'d> {
    pub(super) fn read(definition: &'d str) -> Result<Self, Refusal> {
        let mut parts = definition.split([':', '@']);
        let (field, other) = parts.next().zip(parts.next()).ok_or_else(|| {
            let text = format!(
                "Resolve request parameter not well-formed: {definition}.  Should be source_field:target_field"
            );
            Refusal::parameter("resolve", text)
        })?;
        match parts.next() {
            None => Ok(Self { field, other, is_compact: false }),
            Some(COMPACT) => Ok(Self { field, other, is_compact: true }),
            Some(form) => Err(Refusal::parameter("resolve", format!("Unrecognized search resolver: {form}"))),
        }
    }

    fn values(&self, document: &Map<String, Value>) -> Vec<String> {
        match document.get(self.field) {
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(value)) => vec![value.clone()],
            _ => Vec::new(),
        }
    }

    /// Puts in the documents that the caller may see. Components have documents of their own for the public, with which they
    /// are found by their addresses.
    pub(super) async fn put(
        &self,
        archives: &Archives,
        documents: &mut [Map<String, Value>],
        within_reach: &[Query],
        room: &mut usize,
    ) -> Result<(), Refusal> {
        let mut wanted: Vec<String> = documents.iter().flat_map(|document| self.values(document)).collect();
        wanted.sort();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(());
        }
        let of_public: Vec<String> = wanted.iter().map(|value| format!("{value}{PUBLIC_END}")).collect();
        let named = Query::any(self.other, wanted.into_iter().chain(of_public));
        let put_in = matching(&archives.index, Query::And([within_reach, &[named]].concat()), MOST).await?;
        let found = self.shown(archives, put_in, room).await?;
        for document in documents {
            let values = self.values(document);
            let mut resolved: Map<String, Value> = Map::new();
            for (key, of) in &found {
                if values.contains(key)
                    && let Some(list) = resolved.entry(key).or_insert_with(|| json!([])).as_array_mut()
                {
                    // Each document has a copy.
                    take(room, of.get("json").and_then(Value::as_str).map_or(0, str::len))?;
                    list.push(Value::Object(of.clone()));
                }
            }
            // The public application takes an object for one that has something.
            let resolved = if resolved.is_empty() { Value::Null } else { Value::Object(resolved) };
            document.insert(format!("_resolved_{}", self.field), resolved);
        }
        Ok(())
    }

    /// The documents by what they are found with, with their records. At most two round trips.
    async fn shown(
        &self,
        archives: &Archives,
        mut documents: Vec<Map<String, Value>>,
        room: &mut usize,
    ) -> Result<Vec<(String, Map<String, Value>)>, Refusal> {
        let key = |document: &Map<String, Value>| {
            document.get(self.other)?.as_str().map(|value| value.trim_end_matches(PUBLIC_END).to_owned())
        };
        if documents.is_empty() {
            return Ok(Vec::new());
        }
        if !self.is_compact {
            add_records(archives, &mut documents, room).await?;
            return Ok(documents.into_iter().filter_map(|document| Some((key(&document)?, document))).collect());
        }
        let uris = documents.iter().filter_map(|document| document["uri"].as_str()).map(str::to_owned).collect();
        let records = gather(archives, uris, BTreeSet::new()).await?;
        let compact = documents.iter().filter_map(|document| {
            let record = records.get(document["uri"].as_str()?)?;
            let named = NAMES.iter().filter_map(|name| Some(((*name).to_owned(), record.get(name)?.clone())));
            Some((key(document)?, named.collect()))
        });
        Ok(compact.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_names_two_fields_and_perhaps_a_form() {
        for (definition, expected) in [
            ("resource:id", Some(("resource", "id", false))),
            ("resource:id@compact_resource", Some(("resource", "id", true))),
            ("resource:id@other", None),
            ("resource", None),
        ] {
            let read = Resolving::read(definition).ok();
            assert_eq!(read.map(|read| (read.field, read.other, read.is_compact)), expected, "{definition}");
        }
    }
}
