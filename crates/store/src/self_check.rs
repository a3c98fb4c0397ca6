//! What self-checks ask about: patrons, items and holds, each in one round trip.

use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Row};

/// Which list of a patron's is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Requests whose item is ready.
    Holds,
    /// Overdue items.
    Overdue,
    /// Items out.
    Charged,
    /// Fees and fines.
    Fees,
    /// Items that others want back.
    Recalled,
    /// Requests whose item is not ready.
    Unavailable,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            List::Holds => "holds",
            List::Overdue => "overdue",
            List::Charged => "charged",
            List::Fees => "fees",
            List::Recalled => "recalled",
            List::Unavailable => "unavailable",
        }
    }
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Of which list.
    pub list: List,
    /// How many are left out at its beginning.
    pub skip: i64,
    /// How many at most.
    pub most: i64,
}

/// A patron by barcode, external system id or user name, with what surrounds them; columns as in the statement, `patron`
/// null for nobody. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn patron(
    session: &Session,
    identifier: &str,
    now: &str,
    piece: Option<Piece>,
) -> Result<Row, StoreError> {
    let sql = crate::statements::self_check::READ_PATRON;
    let list = piece.map(|piece| piece.list.name());
    let (skip, most) = piece.map_or((0, 0), |piece| (piece.skip, piece.most));
    session
        .get(sql, &[&identifier, &now, &list, &skip, &most])
        .await
}

/// An item by barcode, with what surrounds it; columns as in the statement. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn item(session: &Session, barcode: &str) -> Result<Option<Row>, StoreError> {
    let sql = crate::statements::self_check::READ_ITEM;
    session.find(sql, &[&barcode]).await
}

/// A patron's open request for an item or a title. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn hold(
    session: &Session,
    patron: Uuid,
    item: Option<Uuid>,
    title: Option<Uuid>,
) -> Result<Option<Value>, StoreError> {
    let sql = crate::statements::self_check::READ_HOLD;
    let row = session.find(sql, &[&patron, &item, &title]).await?;
    Ok(row.map(|row| row.get(0)))
}

/// The service point that the staff has chosen for a user. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn default_service_point(
    session: &Session,
    user: Uuid,
) -> Result<Option<Uuid>, StoreError> {
    let sql = "SELECT (doc->>'defaultServicePointId')::uuid FROM service_point_user
               WHERE (left(carrel.fold(doc->>'userId'), 600) COLLATE \"C\") = carrel.fold($1)";
    let row = session.find(sql, &[&user.to_string()]).await?;
    Ok(row.and_then(|row| row.get(0)))
}
