//! Permission users: the permissions granted to each user.

use serde_json::{Map, Value};
use store::{Session, StoreError, statements::identity::permissions as statements};
use uuid::Uuid;

use super::replaced::replacements;

/// How a permission user is identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// By the record's own id.
    Id(Uuid),
    /// By the user's id.
    User(Uuid),
}

impl Holder {
    fn key(self) -> (Uuid, bool) {
        match self {
            Self::Id(id) => (id, false),
            Self::User(id) => (id, true),
        }
    }
}

/// The permission user as stored.
pub async fn find_holder(session: &Session, holder: Holder) -> Result<Option<Map<String, Value>>, StoreError> {
    let (id, of_user) = holder.key();
    let found = session.find_value(statements::HOLDER, &[&id, &of_user]).await?;
    Ok(match found {
        Some(Value::Object(record)) => Some(record),
        _ => None,
    })
}

/// The names held by a permission user: with `expanded` also those inside them, and with `full` their definitions as a
/// JSON array. `None` if the permission user does not exist.
pub async fn held(
    session: &Session,
    holder: Holder,
    expanded: bool,
    full: bool,
) -> Result<Option<(Vec<String>, Option<String>)>, StoreError> {
    let (id, of_user) = holder.key();
    let row = session.find(statements::OF_USER, &[&id, &of_user, &expanded, &full, replacements()]).await?;
    Ok(row.map(|row| (row.get("names"), row.get("definitions"))))
}

/// Replaces a permission user that still holds `before`; returns false if it has changed or was deleted.
///
/// # Errors
/// [`StoreError::Duplicate`] if another record belongs to the same user.
pub async fn replace_holder(session: &Session, id: Uuid, record: &Value, before: &Value) -> Result<bool, StoreError> {
    let replaced = session.execute(statements::REPLACE_HOLDER, &[&id, record, before]).await?;
    Ok(replaced > 0)
}

/// Grants a permission; returns false if it is already held.
pub async fn grant(session: &Session, id: Uuid, name: &str) -> Result<bool, StoreError> {
    Ok(session.execute(statements::GRANT, &[&id, &name]).await? > 0)
}

/// Removes a permission.
pub async fn withdraw(session: &Session, id: Uuid, name: &str) -> Result<(), StoreError> {
    session.execute(statements::WITHDRAW, &[&id, &name]).await?;
    Ok(())
}

/// Deletes a permission user; returns false if it does not exist.
pub async fn remove_holder(session: &Session, holder: Holder) -> Result<bool, StoreError> {
    let (id, of_user) = holder.key();
    let sql = statements::REMOVE_HOLDER;
    Ok(session.execute(sql, &[&id, &of_user]).await? > 0)
}
