//! The records of documents, as texts in them (contract 8.1, `json`).

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::{
    Archives,
    document::{MANAGEMENT, PUBLIC_END},
    inheritance::with_inherited,
    records::{Printing, Records},
};
use crate::refusal::Refusal;

/// How many bytes of records an answer has at most.
pub(super) const LARGEST: usize = 64 * 1024 * 1024;

/// Puts their records into documents; those of records that have just been deleted are left out. `room` is how many bytes are left for
/// records. One round trip, two with documents of the public alone.
pub(super) async fn add_records(
    archives: &Archives,
    documents: &mut Vec<Map<String, Value>>,
    room: &mut usize,
) -> Result<(), Refusal> {
    let uris: Vec<&str> = documents.iter().filter_map(record_of).collect();
    let records = Records::read(archives, &uris, addresses(documents)).await?;
    let above = above(archives, documents, &records).await?;
    let (mut printing, mut above) = (records.printing(), above.printing());
    documents.retain(|document| record_of(document).is_some_and(|uri| records.get(uri).is_some()));
    for document in documents {
        let uri = record_of(document).unwrap_or_default();
        let text = match is_apart(document) {
            true => apart(uri, &mut printing, &mut above)?,
            false if is_part(document) => records.get(uri).map_or(Value::Null, |of| of[MANAGEMENT].clone()).to_string(),
            false => printing.text(uri)?,
        };
        take(room, text.len())?;
        document.insert("json".to_owned(), text.into());
    }
    Ok(())
}

/// Takes so many bytes of what is left for records.
pub(super) fn take(room: &mut usize, bytes: usize) -> Result<(), Refusal> {
    *room = room.checked_sub(bytes).ok_or_else(|| {
        let text = format!("The records would have more than {LARGEST} bytes; ask for fewer");
        Refusal::parameter("page_size", text)
    })?;
    Ok(())
}

/// Whether a document is that of a part of a record.
fn is_part(document: &Map<String, Value>) -> bool {
    document["primary_type"] == MANAGEMENT
}

/// The address of the record that a document is of.
fn record_of(document: &Map<String, Value>) -> Option<&str> {
    document.get(if is_part(document) { "parent_id" } else { "uri" })?.as_str()
}

/// Whether a document is that of the public alone, whose record has what it inherits.
fn is_apart(document: &Map<String, Value>) -> bool {
    document["id"].as_str().is_some_and(|id| id.ends_with(PUBLIC_END))
}

/// The records above those of the public's own documents. One round trip, none without such documents.
async fn above(archives: &Archives, documents: &[Map<String, Value>], records: &Records) -> Result<Records, Refusal> {
    let apart = documents.iter().filter(|document| is_apart(document));
    let of_apart = apart.filter_map(|document| records.get(document["uri"].as_str()?));
    let ancestors = of_apart.flat_map(|record| record["ancestors"].as_array().into_iter().flatten());
    let uris: BTreeSet<&str> = ancestors.filter_map(|ancestor| ancestor["ref"].as_str()).collect();
    if uris.is_empty() {
        return Ok(Records::default());
    }
    Records::read(archives, &uris.into_iter().collect::<Vec<_>>(), BTreeSet::new()).await
}

/// The addresses in documents: most of what their records refer to.
fn addresses(documents: &[Map<String, Value>]) -> BTreeSet<String> {
    let values = documents.iter().flat_map(Map::values).flat_map(|value| match value {
        Value::Array(values) => values,
        value => std::slice::from_ref(value),
    });
    values.filter_map(Value::as_str).filter(|text| text.starts_with('/')).map(str::to_owned).collect()
}

/// A document of the public alone: its record has what it inherits.
fn apart(uri: &str, records: &mut Printing<'_>, above: &mut Printing<'_>) -> Result<String, Refusal> {
    let record = records.value_of(uri)?;
    let ancestors = record["ancestors"].as_array().into_iter().flatten();
    let addresses = ancestors.filter_map(|ancestor| ancestor["ref"].as_str());
    let read = addresses.map(|uri| Ok((uri.to_owned(), above.value_of(uri)?)));
    let above: HashMap<String, Value> = read.collect::<Result<_, Refusal>>()?;
    let mut complete = with_inherited(&record, |uri| above.get(uri), true);
    complete["ancestors"] = json!([]);
    Ok(complete.to_string())
}
