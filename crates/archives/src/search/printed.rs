//! The records of documents, as texts in them (contract 8.1, `json`).

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    Archives,
    document::{MANAGEMENT, PUBLIC_END},
    gathering::gather,
    inheritance::with_inherited,
    records::Printing,
};
use crate::refusal::Refusal;

/// How many bytes of records an answer has at most.
pub(super) const LARGEST: usize = 64 * 1024 * 1024;

/// Puts their records into documents; those of records that have just been deleted are left out. `room` is how many bytes are left for
/// records. No round trip, one with containers that circulate.
pub(super) async fn add_records(
    archives: &Archives,
    documents: &mut Vec<Map<String, Value>>,
    room: &mut usize,
) -> Result<(), Refusal> {
    let uris = documents.iter().filter_map(record_of).map(str::to_owned).collect();
    let heirs =
        documents.iter().filter(|document| is_apart(document)).filter_map(record_of).map(str::to_owned).collect();
    let records = gather(archives, uris, heirs).await?;
    let mut printing = records.printing();
    documents.retain(|document| record_of(document).is_some_and(|uri| records.get(uri).is_some()));
    for document in documents {
        let uri = record_of(document).unwrap_or_default();
        let text = match is_apart(document) {
            true => apart(uri, &mut printing)?,
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

/// A document of the public alone: its record has what it inherits.
fn apart(uri: &str, records: &mut Printing<'_>) -> Result<String, Refusal> {
    let record = records.value_of(uri)?;
    let ancestors = record["ancestors"].as_array().into_iter().flatten();
    let addresses = ancestors.filter_map(|ancestor| ancestor["ref"].as_str());
    let read = addresses.map(|uri| Ok((uri.to_owned(), records.value_of(uri)?)));
    let above: HashMap<String, Value> = read.collect::<Result<_, Refusal>>()?;
    let mut complete = with_inherited(&record, |uri| above.get(uri), true);
    complete["ancestors"] = json!([]);
    Ok(complete.to_string())
}
