//! What assessments can say of records, and how the processing of records is managed (contract 3.5, 4.8).

use serde_json::{Value, json};
use store::{
    Session,
    statements::{
        archives::{ATTRIBUTES, COLLECTION_MANAGEMENT},
        writes::SET_ARCHIVAL_ATTRIBUTES,
    },
};

use crate::{records::Seen, refusal::Refusal};

/// The attributes that assessments of a repository can have, first those of all repositories. One round trip.
pub async fn attributes(session: &Session, repository: i64) -> Result<Value, Refusal> {
    let definitions: Value = session.value(ATTRIBUTES, &[&repository]).await?;
    Ok(json!({"jsonmodel_type": "assessment_attribute_definitions", "definitions": definitions}))
}

/// Sets the attributes of a repository's own; those of all repositories stay as they are. One round trip.
pub async fn set_attributes(session: &Session, repository: i64, definitions: &Value) -> Result<(), Refusal> {
    let own = definitions.as_array().into_iter().flatten().filter(|one| one["global"] != true);
    let own: Value = own.cloned().collect();
    let answer: Value = session.value(SET_ARCHIVAL_ATTRIBUTES, &[&repository, &own]).await?;
    if answer["in_use"] == true {
        return Err(Refusal::Conflict("RECORD_IN_USE".to_owned()));
    }
    match answer.get("labels") {
        Some(labels) => Err(Refusal::Conflicts(labels.clone())),
        None => Ok(()),
    }
}

/// How the processing of a record is managed, by its own number. One round trip.
pub async fn management(session: &Session, repository: i64, id: i64, seen: Seen) -> Result<Value, Refusal> {
    let found = session.find_value(COLLECTION_MANAGEMENT, &[&id, &repository, &seen.all()]).await?;
    found.ok_or_else(|| Refusal::no("collection_management"))
}
