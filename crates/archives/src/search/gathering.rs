//! Reads the records that an answer shows, with those that they refer to (decision 90): from the index, which keeps each record as
//! it was when it was indexed, and without the database. An index that an earlier Carrel made keeps none; until there is another,
//! they are read from the database, with one round trip for each step away from what is shown.

use std::{collections::BTreeSet, sync::Arc};

use indexing::Shown;
use search::SearchError;
use serde_json::Value;
use store::Session;

use super::{
    Archives, Referred,
    records::{REF, RESOLVED, RESOLVED_BELOW, Record, Records},
    run::failed,
};
use crate::{refusal::Refusal, resolve::records_at};

/// The field with the addresses of records; the public's own documents of the same records have others.
const KEY: &str = "id";
/// Where a container is that circulates: the desk changes that, and the index is not told.
const CIRCULATES: &str = "circulation";

/// What is read after the records that are shown.
#[derive(Clone, Copy)]
enum Step {
    /// What is above those that show what they inherit.
    Ancestors,
    /// What is put into them.
    Near,
    /// What is put into that.
    Below,
}

const STEPS: [Step; 3] = [Step::Ancestors, Step::Near, Step::Below];

/// The records with these addresses, and those that answers put into them; also those above the ones that show what they inherit.
/// No round trip, one with containers that circulate.
pub(super) async fn gather(
    archives: &Archives,
    asked: BTreeSet<String>,
    heirs: BTreeSet<String>,
) -> Result<Records, Refusal> {
    if asked.is_empty() {
        return Ok(Records::default());
    }
    let kept = match archives.index.shown() {
        Some(Shown::Complete(reader)) => reader.records(KEY),
        _ => None,
    };
    let Some(kept) = kept else { return from_database(&archives.session, asked, &heirs).await };
    let referred = Arc::clone(&archives.referred);
    let gathering = move || from_index(&kept, &referred, &asked, &heirs);
    let mut records = archives.index.run(gathering).await.map_err(|error| failed(&error))?;
    let circulating: BTreeSet<String> =
        records.all().filter(|(_, of)| of.value.get(CIRCULATES).is_some()).map(|(uri, _)| uri.clone()).collect();
    if !circulating.is_empty() {
        records.add(read(&archives.session, &circulating).await?);
    }
    Ok(records)
}

fn from_index(
    kept: &search::records::Records,
    referred: &Referred,
    asked: &BTreeSet<String>,
    heirs: &BTreeSet<String>,
) -> Result<Records, SearchError> {
    let broken = |error: serde_json::Error| SearchError::Unusable(error.to_string());
    let one = |uri: &String, is_shown: bool| {
        let Some(found) = kept.find(uri)? else { return Ok(None) };
        if let Some(record) = referred.get(found.place) {
            return Ok(Some((uri.clone(), record)));
        }
        let text = kept.read(&found)?;
        let read = Record::of(serde_json::from_str(&text).map_err(broken)?);
        // What is shown would take the place of what many refer to.
        if let Some((_, record)) = read.as_ref().filter(|_| !is_shown) {
            referred.put(found.place, text.len(), record);
        }
        Ok(read)
    };
    let read = |uris: &BTreeSet<String>, is_shown| {
        uris.iter().filter_map(|uri| one(uri, is_shown).transpose()).collect::<Result<Vec<_>, SearchError>>()
    };
    let mut records = Records::default();
    records.add(read(asked, true)?);
    for step in STEPS {
        records.add(read(&wanted(&records, heirs, step), false)?);
    }
    Ok(records)
}

async fn from_database(
    session: &Session,
    asked: BTreeSet<String>,
    heirs: &BTreeSet<String>,
) -> Result<Records, Refusal> {
    let mut records = Records::default();
    records.add(read(session, &asked).await?);
    for step in STEPS {
        let wanted = wanted(&records, heirs, step);
        if !wanted.is_empty() {
            records.add(read(session, &wanted).await?);
        }
    }
    Ok(records)
}

async fn read(session: &Session, uris: &BTreeSet<String>) -> Result<Vec<(String, Arc<Record>)>, Refusal> {
    let read = records_at(session, uris.iter().map(String::as_str)).await?;
    Ok(read.into_iter().filter_map(Record::of).collect())
}

/// The addresses of what is read next.
fn wanted(records: &Records, heirs: &BTreeSet<String>, step: Step) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (uri, record) in records.all() {
        match step {
            Step::Ancestors if heirs.contains(uri) => references(&record.value["ancestors"], &[], &mut found),
            Step::Ancestors => {}
            Step::Near => below(&record.value, &RESOLVED, &mut found),
            Step::Below => below(&record.value, &RESOLVED_BELOW, &mut found),
        }
    }
    found.retain(|uri| records.get(uri).is_none());
    found
}

/// Finds what is referred to under these names, at any depth.
fn below(value: &Value, names: &[&str], found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| match names.contains(&name.as_str()) {
            true => references(value, names, found),
            false => below(value, names, found),
        }),
        Value::Array(entries) => entries.iter().for_each(|entry| below(entry, names, found)),
        _ => {}
    }
}

/// A reference, or a list of them.
fn references(value: &Value, names: &[&str], found: &mut BTreeSet<String>) {
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| references(entry, names, found)),
        value => match value.get(REF).and_then(Value::as_str) {
            Some(uri) => _ = found.insert(uri.to_owned()),
            None => below(value, names, found),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_put_in_is_read_and_nothing_else() {
        let mut records = Records::default();
        let mut step = |step, read: &[Value]| {
            records.add(read.iter().cloned().filter_map(Record::of));
            Vec::from_iter(wanted(&records, &BTreeSet::from(["/a/1".to_owned()]), step))
        };
        let instances = json!([{"sub_container": {"top_container": {"ref": "/c/1"}}}, {"digital_object": {}}, 3]);
        let component = json!({"uri": "/a/1", "repository": {"ref": "/r/1"}, "resource": {"ref": "/a/3"},
            "linked_agents": [{"ref": "/g/1"}, {"ref": 3}, {}], "instances": instances, "subjects": [],
            "ancestors": [{"ref": "/a/3", "level": "series"}]});
        let other = json!({"uri": "/a/2", "repository": {"ref": "/a/1"}, "ancestors": [{"ref": "/a/4"}]});
        assert_eq!(step(Step::Ancestors, &[component, other]), ["/a/3"]);
        let above = json!({"uri": "/a/3", "subjects": [{"ref": "/s/1"}], "parent": {"ref": "/a/9"}});
        assert_eq!(step(Step::Near, &[above]), ["/c/1", "/g/1", "/r/1", "/s/1"]);
        let near = [
            json!({"uri": "/c/1", "container_profile": {"ref": "/p/1"}, "series": [{"ref": "/a/5"}]}),
            json!({"uri": "/r/1", "agent_representation": {"ref": "/g/1"}}),
            json!({"uri": "/g/1", "related_agents": [{"ref": "/g/2"}]}),
        ];
        assert_eq!(step(Step::Below, &near), ["/p/1"]);
    }
}
