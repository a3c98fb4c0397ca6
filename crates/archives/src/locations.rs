//! Many locations from one request (contract 3.4).

use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::{archives::READ_RECORDS, writes::REPLACE_ARCHIVAL},
};

use crate::{
    model::{
        Uri,
        derive::{batch_locations, location_title},
    },
    records::{self, Author, Place},
    refusal::Refusal,
};

const LOCATIONS: Place = Place { kind: "location", repository: None };
/// How many locations one request makes at most.
const MOST: usize = 10_000;

/// The locations that a checked `location_batch` stands for. They have yet to be checked as locations.
pub fn of_batch(batch: &Map<String, Value>) -> Result<Vec<Map<String, Value>>, Refusal> {
    let all = batch_locations(batch);
    let locations: Vec<_> = all.take(MOST + 1).collect();
    if locations.len() > MOST {
        return Err(Refusal::BadRequest(format!("The ranges stand for more than {MOST} locations")));
    }
    Ok(locations)
}

/// The title that a location will have.
pub fn title(location: &Map<String, Value>) -> String {
    location_title(location)
}

/// Adds checked locations, all or none; returns their addresses. One round trip.
pub async fn add(
    session: &Session,
    locations: Vec<Map<String, Value>>,
    author: &Author,
) -> Result<Vec<String>, Refusal> {
    let entries: Result<Vec<Value>, Refusal> =
        locations.into_iter().map(|location| records::prepare(LOCATIONS, location)).collect();
    let ids = records::add_all(session, entries?, author).await?;
    Ok(ids.into_iter().map(|id| format!("/locations/{id}")).collect())
}

/// Locations as they are, by their addresses. One round trip.
pub async fn read(session: &Session, uris: &[String]) -> Result<Vec<Value>, Refusal> {
    let mut ids = Vec::with_capacity(uris.len());
    for uri in uris {
        let target = Uri::parse(uri).filter(|target| target.kind.name == LOCATIONS.kind);
        let id = target.ok_or_else(|| Refusal::MissingReference(uri.clone()))?.id;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let kinds = vec![LOCATIONS.kind; ids.len()];
    let found: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
    if found.len() < ids.len() { Err(Refusal::no(LOCATIONS.kind)) } else { Ok(found) }
}

/// Replaces locations of the versions that were read, each checked, all or none. One round trip.
pub async fn replace(
    session: &Session,
    locations: Vec<(i64, i64, Map<String, Value>)>,
    author: &Author,
) -> Result<(), Refusal> {
    let mut entries = Vec::with_capacity(locations.len());
    for (id, version, location) in locations {
        let mut entry = records::prepare(LOCATIONS, location)?;
        entry["id"] = id.into();
        entry["version"] = version.into();
        entries.push(entry);
    }
    let written = session.value(REPLACE_ARCHIVAL, &[&json!(entries), &author.name, &author.now]).await;
    records::written(written, LOCATIONS.kind).map(|_| ())
}
