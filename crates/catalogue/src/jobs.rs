//! Queries whose ids are fetched later, once (contract 1.1). What is kept is the query: its ids are found when they are
//! fetched (decision 58).

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session,
    record::print_instant,
    statements::catalogue::{ADD_JOB, JOB, TAKE_JOB},
};
use uuid::Uuid;

use crate::{
    Catalogue, Entity, Failed,
    refusal::{JOB_UNKNOWN, NOT_COMPLETED},
};

const COMPLETED: &str = "COMPLETED";
const ERROR: &str = "ERROR";

/// Keeps a query. The answer is as if its ids were still to be found; the next one says that they are there, or, of a query
/// that is refused, that it failed. One round trip.
///
/// # Errors
/// [`Failed`].
pub async fn add(
    catalogue: &Catalogue,
    session: &Session,
    query: &str,
    entity: Entity,
    now: Timestamp,
) -> Result<Value, Failed> {
    let id = Uuid::new_v4();
    let status = if catalogue.check(query, entity).is_ok() { COMPLETED } else { ERROR };
    session.execute(ADD_JOB, &[&id, &query, &entity.name(), &status, &now]).await?;
    Ok(shown(id, query, entity.name(), "IN_PROGRESS", now))
}

/// A kept query. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none.
pub async fn get(session: &Session, id: &str) -> Result<Value, Failed> {
    let unknown = || JOB_UNKNOWN.with("id", id);
    let uuid = Uuid::parse_str(id).map_err(|_| unknown())?;
    let row = session.find(JOB, &[&uuid]).await?.ok_or_else(unknown)?;
    let (query, entity, status): (&str, &str, &str) = (row.get("query"), row.get("entity"), row.get("status"));
    Ok(shown(uuid, query, entity, status, row.get("created")))
}

/// Takes a kept query to fetch its ids, once. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none, or its ids were fetched.
pub async fn take(session: &Session, id: &str) -> Result<(String, Entity), Failed> {
    let unknown = || JOB_UNKNOWN.with("id", id);
    let uuid = Uuid::parse_str(id).map_err(|_| unknown())?;
    let row = session.find(TAKE_JOB, &[&uuid]).await?.ok_or_else(unknown)?;
    let (query, entity, status): (String, &str, &str) = (row.get("query"), row.get("entity"), row.get("status"));
    if status != COMPLETED {
        return Err(NOT_COMPLETED.with("query", query).into());
    }
    Ok((query, Entity::of(entity)?))
}

fn shown(id: Uuid, query: &str, entity: &str, status: &str, created: Timestamp) -> Value {
    json!({"id": id, "query": query, "entityType": entity, "status": status, "createdDate": print_instant(created)})
}
