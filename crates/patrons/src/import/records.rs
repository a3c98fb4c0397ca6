//! Imports in the database: what the library has, and the users as a set.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    record::print_instant,
    statements::patrons::{IMPORT_DEACTIVATE, IMPORT_DEPARTMENTS, IMPORT_SYSTEM},
};
use uuid::Uuid;

use super::{Prepared, Record, System};
use crate::collections::text;

/// What the library has of what the import names. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn system(
    session: &Session,
    external_ids: &[String],
    service_points: &[Uuid],
) -> Result<System, StoreError> {
    let row = session
        .get(IMPORT_SYSTEM, &[&external_ids, &service_points])
        .await?;
    let users = records(row.get("users")).into_iter();
    Ok(System {
        address_types: by_name(row.get("address_types")),
        groups: by_name(row.get("groups")),
        departments: records(row.get("departments")),
        custom_fields: records(row.get("custom_fields")),
        users: users
            .filter_map(|user| Some((text(&user, "externalSystemId")?.to_owned(), user)))
            .collect(),
        service_points: row.get("service_points"),
    })
}

fn by_name(names: Value) -> HashMap<String, String> {
    serde_json::from_value(names).unwrap_or_default()
}

fn records(list: Value) -> Vec<Record> {
    serde_json::from_value(list).unwrap_or_default()
}

/// Adds or renames departments. One round trip, or none.
///
/// # Errors
/// [`StoreError::Duplicate`] when a code is taken.
pub async fn write_departments(
    session: &Session,
    departments: Vec<Record>,
) -> Result<(), StoreError> {
    if !departments.is_empty() {
        session
            .execute(IMPORT_DEPARTMENTS, &[&json!(departments)])
            .await?;
    }
    Ok(())
}

/// A user the database refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its place in the set.
    pub place: usize,
    /// The constraint that refused it.
    pub constraint: String,
    /// What PostgreSQL says.
    pub message: String,
}

/// Writes the users; those that are refused do not hinder the others. One round trip.
///
/// # Errors
/// [`StoreError`] when the database fails as a whole.
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
        place: usize::try_from(row.get::<_, i32>(0)).unwrap_or_default(),
        constraint: row.get::<_, Option<String>>(1).unwrap_or_default(),
        message: row.get::<_, Option<String>>(2).unwrap_or_default(),
    });
    Ok(refused.collect())
}

/// Makes users inactive whose external system id begins so and is not in the import. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn deactivate_others(
    session: &Session,
    prefix: &str,
    imported: &[String],
    now: Timestamp,
) -> Result<(), StoreError> {
    let escaped = prefix
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    // Any user that has an external system id, when there is no prefix.
    let pattern = if prefix.is_empty() {
        "_%".to_owned()
    } else {
        format!("{escaped}%")
    };
    session
        .execute(
            IMPORT_DEACTIVATE,
            &[&pattern, &imported, &print_instant(now)],
        )
        .await?;
    Ok(())
}
