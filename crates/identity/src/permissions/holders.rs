//! Permission users: what is granted to whom.

use serde_json::{Map, Value};
use store::{Session, StoreError, statements::identity::permissions as statements};
use uuid::Uuid;

use super::replaced::replacements;

/// How a permission user is named.
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
///
/// # Errors
/// [`StoreError`].
pub async fn find_holder(
    session: &Session,
    holder: Holder,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let (id, of_user) = holder.key();
    let row = session.find(statements::HOLDER, &[&id, &of_user]).await?;
    Ok(row.and_then(|row| match row.get(0) {
        Value::Object(record) => Some(record),
        _ => None,
    }))
}

/// The names a permission user holds, with `expanded` also those inside them, and with `full` their definitions
/// as a JSON array; `None` when there is no such permission user.
///
/// # Errors
/// [`StoreError`].
pub async fn held(
    session: &Session,
    holder: Holder,
    expanded: bool,
    full: bool,
) -> Result<Option<(Vec<String>, Option<String>)>, StoreError> {
    let (id, of_user) = holder.key();
    let row = session
        .find(
            statements::OF_USER,
            &[&id, &of_user, &expanded, &full, replacements()],
        )
        .await?;
    Ok(row.map(|row| (row.get(0), row.get(1))))
}

/// Replaces a permission user that still holds `before`; false when it has changed since or is gone.
///
/// # Errors
/// [`StoreError::Duplicate`] when another record is of the same user.
pub async fn replace_holder(
    session: &Session,
    id: Uuid,
    record: &Value,
    before: &Value,
) -> Result<bool, StoreError> {
    let replaced = session
        .execute(statements::REPLACE_HOLDER, &[&id, record, before])
        .await?;
    Ok(replaced > 0)
}

/// Gives one permission more; false when it is held already.
///
/// # Errors
/// [`StoreError`].
pub async fn grant(session: &Session, id: Uuid, name: &str) -> Result<bool, StoreError> {
    Ok(session.execute(statements::GRANT, &[&id, &name]).await? > 0)
}

/// Takes one permission away.
///
/// # Errors
/// [`StoreError`].
pub async fn withdraw(session: &Session, id: Uuid, name: &str) -> Result<(), StoreError> {
    session.execute(statements::WITHDRAW, &[&id, &name]).await?;
    Ok(())
}

/// Removes a permission user; false when there is none.
///
/// # Errors
/// [`StoreError`].
pub async fn remove_holder(session: &Session, holder: Holder) -> Result<bool, StoreError> {
    let (id, of_user) = holder.key();
    let sql = statements::REMOVE_HOLDER;
    Ok(session.execute(sql, &[&id, &of_user]).await? > 0)
}
