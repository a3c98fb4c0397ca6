//! What has changed a moment ago, for clients that wait for it, and who is editing what (contract 3.5: `/update-feed`,
//! `/notifications`; `/update_monitor`).

use jiff::{SignedDuration, Timestamp, civil};
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    record::print_instant,
    statements::{
        archives::{NOTIFICATIONS, UPDATES},
        writes::NOTE_ARCHIVES_EDITS,
    },
};

use crate::model::Uri;

/// How far back clients are told.
const BACKLOG: SignedDuration = SignedDuration::from_secs(60);
/// How many records an answer has at most. A change of more records at once, such as an import, is not told: clients find
/// it with `modified_since`.
const RECORDS: i64 = 250;

/// Records that were saved or deleted after a number of the feed, with theirs, the first first. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn updates(session: &Session, after: i64, now: Timestamp) -> Result<Vec<Value>, StoreError> {
    let rows = session.query(UPDATES, &[&after.max(0).to_string(), &(now - BACKLOG), &RECORDS]).await?;
    let entries = rows.iter().filter_map(|row| {
        let (sequence, at): (i64, i64) = (row.get("sequence"), row.get("at"));
        let record: Option<Value> = row.get("record");
        let uri = match &record {
            Some(record) => record["uri"].as_str().map(str::to_owned),
            None => row.get("deleted"),
        };
        let record = record.unwrap_or_else(|| json!("deleted"));
        Some(json!({"record": record, "uri": uri?, "sequence": sequence, "timestamp": at}))
    });
    Ok(entries.collect())
}

/// What changed after a number of the feed that clients remember: rights, repositories, preferences, terms, value lists. One
/// round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn notifications(session: &Session, after: i64, now: Timestamp) -> Result<Vec<Value>, StoreError> {
    let rows = session.query(NOTIFICATIONS, &[&after.max(0).to_string(), &(now - BACKLOG)]).await?;
    let entries = rows.iter().map(|row| {
        json!({"code": row.get::<_, String>("code"), "params": {}, "sequence": row.get::<_, i64>("sequence"),
            "timestamp": row.get::<_, i64>("at")})
    });
    Ok(entries.collect())
}

/// Notes who is editing which record, as a checked `active_edits` says; returns who edits each record at all, and its version.
/// One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn note_edits(session: &Session, given: &Map<String, Value>, now: Timestamp) -> Result<Value, StoreError> {
    let edits = given.get("active_edits").and_then(Value::as_array).into_iter().flatten();
    let edits: Value = edits.map(|edit| noted(edit, now)).collect();
    session.value(NOTE_ARCHIVES_EDITS, &[&edits, &now]).await
}

fn noted(edit: &Value, now: Timestamp) -> Value {
    let uri = edit["uri"].as_str().unwrap_or_default();
    let of = Uri::parse(uri);
    let at = edit["time"].as_str().and_then(moment).unwrap_or(now).min(now);
    json!({"uri": uri, "kind": of.map(|of| of.kind.name.as_str()), "id": of.map(|of| of.id), "operator": edit["user"],
        "at": print_instant(at)})
}

/// A moment as clients write it: ISO 8601, or `2013-01-01 10:00:00 UTC`.
fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let spaced = || {
        let text = text.strip_suffix("UTC").or_else(|| text.strip_suffix("+0000")).unwrap_or(text).trim();
        text.parse::<civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    text.parse().ok().or_else(spaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_clients_write_them() {
        for text in
            ["2013-01-02T10:00:00Z", "2013-01-02 10:00:00 UTC", "2013-01-02 10:00:00 +0000", "2013-01-02 10:00:00"]
        {
            assert_eq!(moment(text).map(|at| at.to_string()).as_deref(), Some("2013-01-02T10:00:00Z"), "{text}");
        }
        assert_eq!(moment("soon"), None);
    }
}
