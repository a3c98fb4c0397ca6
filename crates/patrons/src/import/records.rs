//! Reads what an import refers to, and writes its users as a set.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    record::{print_instant, text},
    statements::patrons::{IMPORT_DEACTIVATE, IMPORT_DEPARTMENTS, IMPORT_SYSTEM},
};
use uuid::Uuid;

use super::{Prepared, Record, System};

/// Reads what the import's names refer to. One round trip.
pub async fn system(session: &Session, external_ids: &[String], service_points: &[Uuid]) -> Result<System, StoreError> {
    let row = session.get(IMPORT_SYSTEM, &[&external_ids, &service_points]).await?;
    let users = records(row.get("users")).into_iter();
    Ok(System {
        address_types: by_name(row.get("address_types")),
        groups: by_name(row.get("groups")),
        departments: records(row.get("departments")),
        custom_fields: records(row.get("custom_fields")),
        users: users.filter_map(|user| Some((text(&user, "externalSystemId")?.to_owned(), user))).collect(),
        service_points: row.get("service_points"),
    })
}

fn by_name(names: Value) -> HashMap<String, String> {
    serde_json::from_value(names).unwrap_or_default()
}

fn records(list: Value) -> Vec<Record> {
    serde_json::from_value(list).unwrap_or_default()
}

/// Adds and renames departments. One round trip, or none. [`StoreError::Duplicate`] if a code is taken.
pub async fn write_departments(session: &Session, departments: Vec<Record>) -> Result<(), StoreError> {
    if !departments.is_empty() {
        session.execute(IMPORT_DEPARTMENTS, &[&json!(departments)]).await?;
    }
    Ok(())
}

/// A user that the database refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its position in the set.
    pub place: usize,
    /// The violated constraint.
    pub constraint: String,
    /// PostgreSQL's message.
    pub message: String,
}

/// Writes the users. A refused one does not stop the others. One round trip.
pub async fn write(session: &Session, set: &[Prepared]) -> Result<Vec<Refused>, StoreError> {
    let entries: Vec<_> = set
        .iter()
        .map(|one| {
            json!({"user": one.user, "new": one.new, "preference": one.preference,
                "dropPreference": one.drop_preference})
        })
        .collect();
    let sql = store::statements::patrons::IMPORT_USERS;
    let rows = session.query(sql, &[&Value::Array(entries)]).await?;
    let refused = rows.iter().map(|row| Refused {
        place: usize::try_from(row.get::<_, i32>("place")).unwrap_or_default(),
        constraint: row.get::<_, Option<String>>("refused_by").unwrap_or_default(),
        message: row.get::<_, Option<String>>("refused_for").unwrap_or_default(),
    });
    Ok(refused.collect())
}

/// Makes users inactive whose external system id has this prefix and is not in the import. One round trip.
pub async fn deactivate_others(
    session: &Session,
    prefix: &str,
    imported: &[String],
    now: Timestamp,
) -> Result<(), StoreError> {
    let escaped = prefix.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    // Without a prefix: every user with an external system id.
    let pattern = if prefix.is_empty() { "_%".to_owned() } else { format!("{escaped}%") };
    session.execute(IMPORT_DEACTIVATE, &[&pattern, &imported, &print_instant(now)]).await?;
    Ok(())
}
