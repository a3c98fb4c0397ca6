//! Top containers: what their type needs beside the routes of all records (contract 3.4, 4.4).

use std::collections::HashSet;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Parameter,
    statements::{
        archives::{GRAPH_TYPES, READ_RECORDS, TREE_CONTAINERS},
        writes::CHANGE_ARCHIVAL_CONTAINERS,
    },
};

use crate::{
    model::Uri,
    nodes::tree_of_root,
    records::{self, Author, Place, Seen},
    refusal::Refusal,
};

const KIND: &str = "top_container";
/// The property of instances that refers to a container.
const HELD: &str = "/sub_container/top_container";

/// What is set on many containers at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    Barcode,
    Indicator,
    /// The number of the holding in a library system.
    IlsHolding,
    /// The address of a container profile.
    Profile,
    /// The address of a location, in which the containers are from today.
    Location,
}

/// Whether containers that do not exist are left out, or none is changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    LeftOut,
    Refused,
}

impl Member {
    /// Its property.
    fn name(self) -> &'static str {
        match self {
            Self::Barcode => "barcode",
            Self::Indicator => "indicator",
            Self::IlsHolding => "ils_holding_id",
            Self::Profile => "container_profile",
            Self::Location => "container_locations",
        }
    }

    /// What its value refers to, in words.
    pub fn target_name(self) -> &'static str {
        if self == Self::Profile { "Container profile" } else { "Location" }
    }

    /// The change of one container, as `change_archival_containers` takes it. An empty text removes the value.
    fn change(self, id: i64, text: &str, author: &Author) -> Result<Value, Refusal> {
        let mut change = json!({"id": id});
        if text.is_empty() {
            return if self == Self::Indicator { Err(too_short()) } else { Ok(change) };
        }
        if text.chars().count() > 255 {
            let wrong = json!(["Must be 255 characters or fewer"]);
            return Err(Refusal::Taken(Map::from_iter([(self.name().to_owned(), wrong)])));
        }
        change["value"] = match self {
            Self::Barcode => {
                change["key"] = text.into();
                text.into()
            }
            Self::Indicator | Self::IlsHolding => text.into(),
            Self::Profile => {
                change["target"] = target(text, "container_profile", self.target_name())?;
                json!({"ref": text})
            }
            Self::Location => {
                change["target"] = target(text, "location", self.target_name())?;
                let today = author.now.to_zoned(TimeZone::UTC).date().to_string();
                json!([{"jsonmodel_type": "container_location", "ref": text, "status": "current", "start_date": today}])
            }
        };
        Ok(change)
    }
}

fn too_short() -> Refusal {
    let wrong = json!(["Property is required but was missing"]);
    Refusal::Taken(Map::from_iter([("indicator".to_owned(), wrong)]))
}

/// A record of the kind, as `change_archival_containers` takes it.
fn target(uri: &str, kind: &str, name: &str) -> Result<Value, Refusal> {
    let target = Uri::parse(uri).filter(|target| target.kind.name == kind);
    let target = target.ok_or_else(|| Refusal::BadRequest(format!("{name} not found: {uri}")))?;
    Ok(json!({"kind": kind, "id": target.id, "uri": uri}))
}

/// Sets a member of containers of a repository, each with its value; returns the ids of those that were changed. One round
/// trip, if there are any.
pub async fn set(
    session: &Session,
    repository: i64,
    member: Member,
    values: &[(i64, String)],
    unknown: Unknown,
    author: &Author,
) -> Result<Vec<i64>, Refusal> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let all = unknown == Unknown::Refused;
    // Who changes several at once is told which one cannot be.
    let refused = |refusal: Refusal, id: Option<i64>| match (refusal, id) {
        (Refusal::Taken(messages), Some(id)) if all => {
            Refusal::TakenFor { messages, uri: format!("/repositories/{repository}/{KIND}s/{id}") }
        }
        (refusal, _) => refusal,
    };
    let change = |(id, text): &(i64, String)| {
        member.change(*id, text.trim(), author).map_err(|refusal| refused(refusal, Some(*id)))
    };
    let changes = Value::Array(values.iter().map(change).collect::<Result<_, Refusal>>()?);
    let written: Result<Value, StoreError> = session
        .value(CHANGE_ARCHIVAL_CONTAINERS, &[&member.name(), &changes, &repository, &all, &author.name, &author.now])
        .await;
    let taken_by = match &written {
        Ok(answer) => answer["taken"][0]["id"].as_i64(),
        Err(_) => given_twice(values),
    };
    let answer = records::written(written, KIND).map_err(|refusal| refused(refusal, taken_by))?;
    Ok(answer["ids"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect())
}

/// The container that is given what another one was given before it.
fn given_twice(values: &[(i64, String)]) -> Option<i64> {
    let mut given = HashSet::new();
    let mut barcodes = values.iter().filter(|(_, text)| !text.trim().is_empty());
    barcodes.find(|(_, text)| !given.insert(text.trim())).map(|(id, _)| *id)
}

/// The id of the container of a repository that an address names.
pub fn id_of(uri: &str, repository: i64) -> Result<i64, Refusal> {
    let found = Uri::parse(uri).filter(|found| found.kind.name == KIND && found.repository == Some(repository));
    Ok(found.ok_or_else(|| Refusal::no(KIND))?.id)
}

/// Refuses a container that has left a location which is not temporary: it can only have been moved from there. One round trip
/// if the container names previous locations.
pub async fn check_locations(session: &Session, container: &Map<String, Value>) -> Result<(), Refusal> {
    let locations = container.get("container_locations").and_then(Value::as_array).into_iter().flatten().enumerate();
    let left: Vec<(usize, Uri)> = locations
        .filter(|(_, location)| location["status"] == "previous")
        .filter_map(|(place, location)| Some((place, Uri::parse(location["ref"].as_str()?)?)))
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    let kinds: Vec<&str> = left.iter().map(|(_, uri)| uri.kind.name.as_str()).collect();
    let ids: Vec<i64> = left.iter().map(|(_, uri)| uri.id).collect();
    let found: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
    let is_fixed = |uri: &Uri| {
        let uri = uri.to_string();
        found.iter().any(|location| location["uri"] == uri.as_str() && location["temporary"].is_null())
    };
    let wrong: Map<String, Value> = left
        .iter()
        .filter(|(_, uri)| is_fixed(uri))
        .map(|(place, _)| {
            let message = json!(["cannot be previous if Location is not temporary"]);
            (format!("container_locations/{place}/status"), message)
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(Refusal::Taken(wrong)) }
}

/// The containers of a record's instances, as references: of a tree those of all published records, each once. One round trip.
pub async fn of_record(session: &Session, place: Place, id: i64, seen: Seen) -> Result<Value, Refusal> {
    if let Some(tree) = tree_of_root(place.kind) {
        let parameters: [Parameter<'_>; 5] = [&place.kind, &id, &place.repository, &tree.node, &seen.all()];
        let found = session.find_value(TREE_CONTAINERS, &parameters).await?;
        return found.ok_or_else(|| Refusal::no(place.kind));
    }
    let record = records::get(session, place, id, seen).await?;
    let instances = record["instances"].as_array().into_iter().flatten();
    Ok(instances.filter_map(|instance| instance.pointer(HELD).cloned()).collect())
}

/// The types of a record, of those below it and of their parts, without notes. One round trip.
pub async fn types_of_graph(session: &Session, place: Place, id: i64, seen: Seen) -> Result<Value, Refusal> {
    let found = session.find_value(GRAPH_TYPES, &[&place.kind, &id, &place.repository, &seen.all()]).await?;
    found.ok_or_else(|| Refusal::no(place.kind))
}
