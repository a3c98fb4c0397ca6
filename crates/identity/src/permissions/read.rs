//! Reads of permissions.

use std::collections::HashMap;

use store::{Session, StoreError, statements::identity::permissions as statements};
use uuid::Uuid;

/// What determines whether a permission may be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Created by a client; others come with modules.
    pub mutable: bool,
    /// Mentioned by another permission, but defined by none.
    pub dummy: bool,
}

/// The definitions of those of the permissions that exist.
pub async fn definitions(session: &Session, names: &[&str]) -> Result<HashMap<String, Definition>, StoreError> {
    let rows = session.query(statements::DEFINITIONS, &[&names]).await?;
    let definition = |row: &tokio_postgres::Row| Definition { mutable: row.get("mutable"), dummy: row.get("dummy") };
    Ok(rows.iter().map(|row| (row.get("name"), definition(row))).collect())
}

/// Deletes a permission, also from its holders and parents; returns false if it does not exist.
pub async fn delete(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    let deleted: i64 = session.value(statements::DELETE, &[&id]).await?;
    Ok(deleted > 0)
}
