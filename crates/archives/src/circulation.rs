//! Containers that circulate: an administrator lets those of a repository be items of the inventory (decision 48). What follows
//! from each save is SQL, in `store/sql/replaceable/writes/circulating_containers.sql`.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::{
        archives::READ_CIRCULATION,
        writes::{CIRCULATE_CONTAINERS, END_CIRCULATION_OF_CONTAINERS},
    },
};
use uuid::Uuid;

use crate::refusal::Refusal;

/// Members that are ids of records of the inventory.
const IDS: [&str; 4] = ["instance_type_id", "material_type_id", "loan_type_id", "location_id"];

/// How the containers of a repository circulate. One round trip.
///
/// # Errors
/// They do not.
pub async fn get(session: &Session, repository: i64) -> Result<Value, Refusal> {
    let found = session.find_value(READ_CIRCULATION, &[&repository]).await?;
    let mut circulation: Value = found.ok_or_else(no)?;
    circulation["jsonmodel_type"] = "container_circulation".into();
    circulation["repository"] = json!({"ref": format!("/repositories/{repository}")});
    Ok(circulation)
}

/// Lets the containers of a repository circulate, or changes how; returns how many do. One round trip, which takes as long as
/// making their items.
///
/// # Errors
/// A record that does not exist; barcodes of containers that items of the library have.
pub async fn start(session: &Session, repository: i64, wanted: Map<String, Value>) -> Result<i64, Refusal> {
    check(&wanted)?;
    let written = session.value(CIRCULATE_CONTAINERS, &[&repository, &Value::Object(wanted)]).await;
    let answer: Value = written.map_err(unknown)?;
    if answer["missing"] == true {
        let text = "The library has several locations; say which one containers are in by default";
        return Err(Refusal::parameter("location_id", text));
    }
    if let Some(clashes) = answer["clashes"].as_array() {
        let text = |clash: &Value| {
            let text = |at: usize| clash[at].as_str().unwrap_or_default().to_owned();
            format!("{} of {} is not the barcode of that container alone", text(1), text(0))
        };
        let messages: Vec<String> = clashes.iter().map(text).collect();
        return Err(Refusal::Taken(Map::from_iter([("barcode".to_owned(), json!(messages))])));
    }
    Ok(answer["items"].as_i64().unwrap_or_default())
}

/// Ends the circulation of a repository's containers, with their items. One round trip.
///
/// # Errors
/// They do not circulate; one of them is on loan or requested.
pub async fn end(session: &Session, repository: i64) -> Result<(), Refusal> {
    let ended: bool = session.value(END_CIRCULATION_OF_CONTAINERS, &[&repository]).await?;
    if ended { Ok(()) } else { Err(no()) }
}

fn no() -> Refusal {
    Refusal::NotFound("The containers of this repository do not circulate".to_owned())
}

/// The ids must be ids, and a building has one location.
fn check(wanted: &Map<String, Value>) -> Result<(), Refusal> {
    let buildings = wanted.get("buildings").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let named = IDS.iter().filter_map(|name| Some(((*name).to_owned(), wanted.get(*name)?)));
    let placed = buildings.iter().enumerate();
    let placed = placed.map(|(place, one)| (format!("buildings/{place}/location_id"), &one["location_id"]));
    for (name, id) in named.chain(placed) {
        if id.as_str().is_none_or(|id| Uuid::try_parse(id).is_err()) {
            return Err(Refusal::parameter(&name, "Must be the id of a record of the inventory"));
        }
    }
    let twice =
        |(place, one): (usize, &Value)| buildings[..place].iter().any(|before| before["building"] == one["building"]);
    match buildings.iter().enumerate().position(twice) {
        Some(place) => Err(Refusal::parameter(&format!("buildings/{place}/building"), "Must be named once")),
        None => Ok(()),
    }
}

/// The inventory has no record with one of the ids.
fn unknown(error: StoreError) -> Refusal {
    let named = match &error {
        StoreError::ForeignKey { table, constraint, in_use: false, .. } => {
            constraint.strip_prefix(&format!("{table}_")).and_then(|rest| rest.strip_suffix("_fkey"))
        }
        _ => None,
    };
    match named {
        Some(member) => Refusal::parameter(&format!("{member}_id"), "The inventory has no such record"),
        None => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_buildings_are_checked_before_anything_is_written() {
        let id = Uuid::nil().to_string();
        let refused = |wanted: Value| match check(wanted.as_object().expect("an object")) {
            Err(Refusal::Parameters(wrong)) => wrong.keys().next().cloned(),
            other => other.err().map(|error| error.to_string()),
        };
        let of = |building: &str, id: &str| json!({"building": building, "location_id": id});
        assert_eq!(refused(json!({"loan_type_id": id, "buildings": [of("A", &id), of("B", &id)]})), None);
        assert_eq!(refused(json!({"loan_type_id": "x"})).as_deref(), Some("loan_type_id"));
        let wrong = json!({"buildings": [of("A", &id), of("B", "x")]});
        assert_eq!(refused(wrong).as_deref(), Some("buildings/1/location_id"));
        let twice = json!({"buildings": [of("A", &id), of("A", &id)]});
        assert_eq!(refused(twice).as_deref(), Some("buildings/1/building"));
    }
}
