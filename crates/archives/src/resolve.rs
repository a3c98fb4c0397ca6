//! `resolve[]`: puts the records that a record refers to into it (contract 2).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;
use store::{Session, StoreError, statements::archives::READ_RECORDS};

use crate::{
    model::Uri,
    records::Seen,
    refusal::Refusal,
    tree::{Tree, whole},
};

/// How many steps a property may have: `a::b::c`.
const DEEPEST: usize = 8;
/// How many bytes of resolved records an answer may have. Each depth multiplies them: the ancestors of the ancestors of a
/// component 300 levels down are 90,000 records.
const MOST: usize = 32 * 1024 * 1024;

/// How many trees an answer may have. Each is read alone.
const TREES: usize = 10;

/// What to resolve: names of properties, and below each those of the records found there.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wanted(BTreeMap<String, Wanted>);

impl Wanted {
    /// Reads the values of `resolve[]`, each a name or several joined by `::`.
    pub fn read<'a>(properties: impl IntoIterator<Item = &'a str>) -> Self {
        let mut all = Self::default();
        for property in properties {
            let mut level = &mut all;
            for step in property.split("::").take(DEEPEST) {
                level = level.0.entry(step.to_owned()).or_default();
            }
        }
        all
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Resolves the references in records to those that are seen. One round trip for each depth, whatever the number and types of records.
pub async fn resolve(session: &Session, records: &mut Value, wanted: &Wanted, seen: Seen) -> Result<(), Refusal> {
    let mut room = MOST;
    let mut trees_left = TREES;
    let mut level: Vec<(&mut Value, &Wanted)> = vec![(records, wanted)];
    while !level.is_empty() {
        let mut found: Vec<(&mut Value, &Wanted)> = Vec::new();
        for (record, wanted) in level {
            find(record, wanted, &mut found);
        }
        let of_trees = trees(session, &found, seen, &mut trees_left).await?;
        let uris: HashSet<String> = found.iter().filter_map(|(of, _)| Some(of["ref"].as_str()?.to_owned())).collect();
        if of_trees.is_empty() && !uris.iter().any(|uri| Uri::parse(uri).is_some()) {
            return Ok(());
        }
        let read = records_at(session, uris.iter().map(String::as_str)).await?;
        let shown = read.iter().filter(|record| seen.all() || record["suppressed"] != true);
        let records = shown.filter_map(|record| Some((record["uri"].as_str()?, record)));
        let by_uri: BTreeMap<&str, (&Value, usize)> = records
            .chain(of_trees.iter().map(|(uri, tree)| (uri.as_str(), tree)))
            .map(|(uri, record)| (uri, (record, record.to_string().len())))
            .collect();
        level = Vec::new();
        for (reference, wanted) in found {
            let record = reference["ref"].as_str().and_then(|uri| by_uri.get(uri));
            let length = record.map_or(0, |(_, length)| *length);
            room = room.checked_sub(length).ok_or_else(|| {
                let text = format!("The resolved records would have more than {MOST} bytes; resolve less at once");
                Refusal::parameter("resolve", text)
            })?;
            let resolved = record.and_then(|(record, _)| put(reference, record));
            level.extend(resolved.filter(|_| !wanted.is_empty()).map(|resolved| (resolved, wanted)));
        }
    }
    Ok(())
}

/// The trees among what is referred to, by address. Two round trips for each.
async fn trees(
    session: &Session,
    found: &[(&mut Value, &Wanted)],
    seen: Seen,
    left: &mut usize,
) -> Result<BTreeMap<String, Value>, Refusal> {
    let addresses: BTreeSet<&str> = found.iter().filter_map(|(of, _)| of["ref"].as_str()).collect();
    let mut trees = BTreeMap::new();
    for address in addresses {
        let Some(tree) = Tree::at(address, seen) else { continue };
        *left = left.checked_sub(1).ok_or_else(|| {
            Refusal::parameter("resolve", format!("An answer has at most {TREES} trees; ask for fewer records"))
        })?;
        match whole(session, tree, None).await {
            Err(Refusal::NotFound(_)) => {}
            found => _ = trees.insert(address.to_owned(), found?),
        }
    }
    Ok(trees)
}

/// The records with these addresses, as a GET returns them; what is no address is left out. One round trip.
pub(crate) async fn records_at<'u>(
    session: &Session,
    uris: impl Iterator<Item = &'u str>,
) -> Result<Vec<Value>, StoreError> {
    let uris = uris.filter_map(Uri::parse);
    let (kinds, ids): (Vec<&str>, Vec<i64>) = uris.map(|uri| (uri.kind.name.as_str(), uri.id)).unzip();
    session.values(READ_RECORDS, &[&kinds, &ids]).await
}

/// The records that are referred to under the wanted properties, by their addresses. One round trip; what they refer to is not
/// read.
pub(crate) async fn referred(
    session: &Session,
    records: &mut [Value],
    wanted: &Wanted,
) -> Result<HashMap<String, Value>, Refusal> {
    let mut found = Vec::new();
    records.iter_mut().for_each(|record| find(record, wanted, &mut found));
    let uris: HashSet<&str> = found.iter().filter_map(|(of, _)| of["ref"].as_str()).collect();
    let read = records_at(session, uris.into_iter()).await?;
    Ok(read.into_iter().filter_map(|record| Some((record["uri"].as_str()?.to_owned(), record))).collect())
}

/// Resolves the references in a record with records that were read before, by their addresses; what they refer to is not
/// resolved.
pub(crate) fn resolve_from(record: &mut Value, wanted: &Wanted, by_uri: &HashMap<String, Value>) {
    let mut found = Vec::new();
    find(record, wanted, &mut found);
    for (reference, _) in found {
        if let Some(record) = reference["ref"].as_str().and_then(|uri| by_uri.get(uri)) {
            put(reference, record);
        }
    }
}

/// Puts a record into the reference to it.
fn put<'v>(reference: &'v mut Value, record: &Value) -> Option<&'v mut Value> {
    let members = reference.as_object_mut()?;
    members.insert("_resolved".to_owned(), record.clone());
    members.get_mut("_resolved")
}

/// Finds the references under the wanted properties, at any depth.
fn find<'v, 'w>(value: &'v mut Value, wanted: &'w Wanted, found: &mut Vec<(&'v mut Value, &'w Wanted)>) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| find(entry, wanted, found)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut().filter(|(name, _)| *name != "_resolved") {
                match wanted.0.get(name) {
                    Some(below) => references(member, below, wanted, found),
                    None => find(member, wanted, found),
                }
            }
        }
        _ => {}
    }
}

/// The references of one property: an object with a `ref`, or a list of them.
fn references<'v, 'w>(
    value: &'v mut Value,
    below: &'w Wanted,
    wanted: &'w Wanted,
    found: &mut Vec<(&'v mut Value, &'w Wanted)>,
) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| references(entry, below, wanted, found)),
        Value::Object(members) if members.contains_key("ref") => found.push((value, below)),
        other => find(other, wanted, found),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_found_at_any_depth() {
        let mut record = json!({"linked_agents": [{"ref": "/agents/people/1"}], "subjects": [{"ref": "/subjects/1"}],
            "instances": [{"sub_container": {"top_container": {"ref": "/repositories/2/top_containers/1"}}}]});
        let wanted = Wanted::read(["linked_agents", "top_container::container_locations", "top_container"]);
        let mut found = Vec::new();
        find(&mut record, &wanted, &mut found);
        let refs: Vec<_> = found.iter().map(|(of, below)| (of["ref"].as_str(), below.is_empty())).collect();
        let container = Some("/repositories/2/top_containers/1");
        assert_eq!(refs, [(Some("/agents/people/1"), true), (container, false)]);
    }
}
