//! Writing authorities (contract 10.1). A deleted one goes to the archive, until it expires there.

use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value};
use store::{
    Session, StoreError,
    record::print_instant,
    statements::authorities::{ADD, ARCHIVE, EXPIRE, REPLACE, RETENTION},
};
use uuid::Uuid;

use crate::{
    Failed,
    headings::{self, HEADINGS, RELATIONS},
    refusal::{AUTHORITY_EXISTS, AUTHORITY_UNKNOWN, NO_SOURCE_FILE, SOURCE_FILE_UNKNOWN, STALE},
};

/// Days that deleted authorities are kept, unless the library says otherwise.
const USUAL_RETENTION: i64 = 7;

/// A record as it is stored: with one decided heading, without empty lists, and with relations to headings that it has.
pub fn normalized(mut record: Map<String, Value>) -> Map<String, Value> {
    let decided = headings::decided(&record).map(|(heading, _)| heading.member);
    for other in HEADINGS.iter().filter(|heading| Some(heading.member) != decided) {
        record.remove(other.member);
    }
    let related: Vec<(&str, Value)> = HEADINGS
        .iter()
        .flat_map(|heading| [(heading.member, heading.see_also, ""), (heading.member, heading.truncated, "Trunc")])
        .flat_map(|(kind, member, ending)| {
            let texts = record.get(member).and_then(Value::as_array).cloned().unwrap_or_default();
            texts.into_iter().map(move |text| (kind, ending, text))
        })
        .map(|(kind, ending, text)| {
            (kind, serde_json::json!({"headingRef": text, "headingType": format!("{kind}{ending}")}))
        })
        .collect();
    for relation in RELATIONS {
        if let Some(Value::Array(headings)) = record.get_mut(relation) {
            headings.retain(|one| related.iter().any(|(_, known)| known == one));
        }
    }
    if let Some(Value::String(code)) = record.get_mut("subjectHeadings") {
        *code = code.chars().take(1).collect();
    }
    record.retain(|name, value| match value {
        Value::Null => false,
        Value::Array(values) => !values.is_empty(),
        Value::String(text) => name != "subjectHeadings" || !text.is_empty(),
        _ => true,
    });
    record
}

/// Adds an authority. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is one with the id, or its source file does not exist.
pub async fn create(session: &Session, id: Uuid, record: &Map<String, Value>) -> Result<(), Failed> {
    let document = Value::Object(record.clone());
    match session.execute(ADD, &[&id, &document]).await {
        Ok(_) => Ok(()),
        Err(StoreError::Duplicate { .. }) => Err(AUTHORITY_EXISTS.into()),
        Err(StoreError::ForeignKey { .. }) => Err(NO_SOURCE_FILE.into()),
        Err(error) => Err(error.into()),
    }
}

/// Replaces an authority; without a `_version` it is the first. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none, it has changed since, or its source file does not exist.
pub async fn replace(session: &Session, id: Uuid, record: &Map<String, Value>) -> Result<(), Failed> {
    let sent = record.get("_version").and_then(Value::as_i64).unwrap_or_default();
    let row = session.get(REPLACE, &[&id, &Value::Object(record.clone()), &sent]).await?;
    let Some(stored) = row.get::<_, Option<i64>>("version") else {
        return Err(AUTHORITY_UNKNOWN.with("id", id).into());
    };
    if !row.get::<_, bool>("has_source") {
        let source = record.get("sourceFileId").and_then(Value::as_str).unwrap_or_default();
        return Err(SOURCE_FILE_UNKNOWN.with("id", source).into());
    }
    if sent < stored {
        return Err(STALE.with("id", id).with("stored", stored).with("sent", sent).into());
    }
    Ok(())
}

/// Moves an authority to the archive, with who deleted it and when. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none.
pub async fn delete(session: &Session, id: Uuid, metadata: &Value) -> Result<(), Failed> {
    match session.find(ARCHIVE, &[&id, metadata]).await? {
        Some(_) => Ok(()),
        None => Err(AUTHORITY_UNKNOWN.with("id", id).into()),
    }
}

/// Deletes what has been in the archive for longer than the library wants. Two round trips.
///
/// # Errors
/// [`StoreError`].
pub async fn expire(session: &Session, now: Timestamp) -> Result<u64, StoreError> {
    let setting: Option<Value> = session.find_value(RETENTION, &[]).await?;
    let setting = setting.unwrap_or_default();
    if setting["expirationEnabled"] == false {
        return Ok(0);
    }
    let days = setting["retentionInDays"].as_i64().unwrap_or(USUAL_RETENTION).clamp(0, 36_500);
    let Ok(until) = now.checked_sub((days * 24).hours()) else { return Ok(0) };
    session.execute(EXPIRE, &[&print_instant(until)]).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_have_one_heading_and_no_empty_members() {
        let sent = json!({"personalName": "Twain", "topicalTerm": "Maps", "sftPersonalName": [], "subjectHeadings": "abc",
            "saftTopicalTerm": ["Charts"], "saftGenreTermTrunc": ["Atlas"], "notes": [], "sourceFileId": null,
            "saftBroaderTerm": [{"headingRef": "Charts", "headingType": "topicalTerm"},
                {"headingRef": "Lost", "headingType": "topicalTerm"}],
            "saftLaterHeading": [{"headingRef": "Atlas", "headingType": "genreTermTrunc"}],
            "saftEarlierHeading": [{"headingRef": "Lost", "headingType": "genreTerm"}]});
        let stored = normalized(sent.as_object().unwrap().clone());
        assert_eq!(
            Value::Object(stored),
            json!({"personalName": "Twain", "subjectHeadings": "a", "saftTopicalTerm": ["Charts"],
                "saftGenreTermTrunc": ["Atlas"],
                "saftBroaderTerm": [{"headingRef": "Charts", "headingType": "topicalTerm"}],
                "saftLaterHeading": [{"headingRef": "Atlas", "headingType": "genreTermTrunc"}]})
        );
    }
}
