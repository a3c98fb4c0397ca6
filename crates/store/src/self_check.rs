//! Queries of self-checks: patrons, items and holds. Each function is one round trip.

use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Row};

/// A list in a patron's summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Requests whose item is ready.
    Holds,
    Overdue,
    /// Items on loan.
    Charged,
    Fees,
    /// Items that other patrons have recalled.
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

/// A section of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub list: List,
    /// Number of entries to skip.
    pub skip: i64,
    /// Maximum number of entries.
    pub most: i64,
}

/// A patron by barcode, external system id or user name, with related data in the columns of the statement; `patron` is
/// null if unknown.
pub async fn patron(session: &Session, identifier: &str, now: &str, piece: Option<Piece>) -> Result<Row, StoreError> {
    let sql = crate::statements::self_check::READ_PATRON;
    let list = piece.map(|piece| piece.list.name());
    let (skip, most) = piece.map_or((0, 0), |piece| (piece.skip, piece.most));
    session.get(sql, &[&identifier, &now, &list, &skip, &most]).await
}

/// An item by barcode, with related data in the columns of the statement.
pub async fn item(session: &Session, barcode: &str) -> Result<Option<Row>, StoreError> {
    let sql = crate::statements::self_check::READ_ITEM;
    session.find(sql, &[&barcode]).await
}

/// A patron's open request for an item or title.
pub async fn hold(
    session: &Session,
    patron: Uuid,
    item: Option<Uuid>,
    title: Option<Uuid>,
) -> Result<Option<Value>, StoreError> {
    let sql = crate::statements::self_check::READ_HOLD;
    session.find_value(sql, &[&patron, &item, &title]).await
}

/// The default service point of a user.
pub async fn default_service_point(session: &Session, user: Uuid) -> Result<Option<Uuid>, StoreError> {
    let sql = "SELECT (doc->>'defaultServicePointId')::uuid FROM service_point_user
               WHERE carrel.folded_key(doc->>'userId') COLLATE \"C\" = carrel.folded_key($1)";
    let found = session.find_value(sql, &[&user.to_string()]).await?;
    Ok(found.flatten())
}
