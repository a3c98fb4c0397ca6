//! Why a change of the catalogue was refused, in the words and shapes of each kind's routes
//! (docs/folio/inventory.md#refusals-of-the-storage).

use http::StatusCode;
use inventory::write::Refused;
use serde_json::{Map, Value};
use store::{StoreError, collection::Collection};

use super::kind::Kind;
use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    collections::{self, Channel},
};

/// The refusal of a request that came over `channel`.
pub fn problem(call: &Call, kind: Kind, channel: Channel, refused: Refused) -> Problem {
    match refused {
        Refused::Rejected(rejection) => rejection.into(),
        Refused::Fault(fault) => Problem::fault(fault),
        Refused::NotFound(_) => Problem::not_found("Not found"),
        Refused::Stale { id, stored, sent } => {
            let version = sent.map_or(Value::Null, Value::from);
            let record = Map::from_iter([("_version".to_owned(), version)]);
            collections::stale(id, stored, &record)
        }
        Refused::HridChanged { new, old } => hrid_changed(new.as_deref(), old.as_deref()),
        Refused::NoHoldings(id) => no_holdings(channel, &id),
        Refused::Store(error, records) => match kind.collection(call) {
            Ok(collection) => refused_by_database(&collection, kind, channel, error, &records),
            Err(problem) => problem,
        },
    }
}

fn hrid_changed(new: Option<&str>, old: Option<&str>) -> Problem {
    let (new, old) = (new.unwrap_or("null"), old.unwrap_or("null"));
    Problem::bad_request(format!(
        "The hrid field cannot be changed: new={new}, old={old}"
    ))
}

fn no_holdings(channel: Channel, id: &str) -> Problem {
    if channel == Channel::Put {
        return Problem::bad_request(format!("holdingsRecordId not found: {id}"));
    }
    let item = ErrorItem::rmb("Holdings record does not exist", "holdingsRecordId", id);
    Problem::unprocessable(&[item])
}

fn refused_by_database(
    collection: &Collection,
    kind: Kind,
    channel: Channel,
    error: StoreError,
    records: &[Map<String, Value>],
) -> Problem {
    // A POST of an instance is the one route that shows the database's own words.
    if kind == Kind::Instances && channel == Channel::Post {
        return match error {
            StoreError::ForeignKey { detail, .. } => Problem::bad_request(detail),
            error => {
                let culprit = culprit(collection, &error, records);
                collections::refused(error, collection, &culprit, Channel::Put)
            }
        };
    }
    let culprit = culprit(collection, &error, records);
    collections::refused(error, collection, &culprit, channel)
}

/// The record of a batch that the database refused: the one that holds the value PostgreSQL names. An HRID that
/// the database gave itself is entered.
fn culprit(
    collection: &Collection,
    error: &StoreError,
    records: &[Map<String, Value>],
) -> Map<String, Value> {
    let detail = match error {
        StoreError::Duplicate { detail, .. } | StoreError::ForeignKey { detail, .. } => {
            detail.as_str()
        }
        _ => return Map::new(),
    };
    let Some(named) = detail
        .split_once(")=(")
        .and_then(|(_, rest)| rest.rsplit_once(") "))
    else {
        return records.first().cloned().unwrap_or_default();
    };
    let named = named.0.to_lowercase();
    let holds = |record: &&Map<String, Value>| holds_value(collection, record, &named);
    let mut record = records
        .iter()
        .find(holds)
        .or(records.first())
        .cloned()
        .unwrap_or_default();
    if !record.contains_key("hrid") {
        record.insert("hrid".into(), named.into());
    }
    record
}

fn holds_value(collection: &Collection, record: &Map<String, Value>, value: &str) -> bool {
    let unique = collection
        .uniques
        .iter()
        .flat_map(|unique| unique.fields.iter().copied());
    let references = collection
        .references
        .iter()
        .map(|reference| reference.field);
    unique.chain(references).chain(["id"]).any(|field| {
        let found = at(record, field).and_then(Value::as_str);
        found.is_some_and(|text| text.to_lowercase() == value)
    })
}

/// The refusal to take so many records at once.
pub fn too_many(count: usize, limit: usize) -> Problem {
    let text =
        format!("Expected a maximum of {limit} records to prevent out of memory but got {count}");
    Problem::Text(StatusCode::PAYLOAD_TOO_LARGE, text)
}

/// The value at a dotted path.
fn at<'a>(record: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut names = path.split('.');
    let first = record.get(names.next()?);
    names.fold(first, |value, name| value?.get(name))
}
