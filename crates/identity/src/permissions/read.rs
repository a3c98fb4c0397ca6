//! What is known of permissions.

use std::collections::HashMap;

use store::{Session, StoreError, statements::identity::permissions as statements};
use uuid::Uuid;

/// What decides whether a permission may be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Made by a client; others come with modules.
    pub mutable: bool,
    /// Only mentioned by another permission, defined by none.
    pub dummy: bool,
}

/// The definitions of the named permissions that exist.
///
/// # Errors
/// [`StoreError`].
pub async fn definitions(
    session: &Session,
    names: &[&str],
) -> Result<HashMap<String, Definition>, StoreError> {
    let rows = session.query(statements::DEFINITIONS, &[&names]).await?;
    let definition = |row: &tokio_postgres::Row| Definition {
        mutable: row.get(1),
        dummy: row.get(2),
    };
    Ok(rows
        .iter()
        .map(|row| (row.get(0), definition(row)))
        .collect())
}

/// Removes a permission, also from its holders and parents; false when there is none of that id.
///
/// # Errors
/// [`StoreError`].
pub async fn delete(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    let row = session.get(statements::DELETE, &[&id]).await?;
    Ok(row.get::<_, i64>(0) > 0)
}
