//! Statements that read near-static records together with their stamp.

use uuid::Uuid;

use super::Statement;
use crate::{collection::Collection, db::Session, error::StoreError};

/// A list's statement, with the column `stamp` beside `records` and `total`.
pub fn with_stamp(page: Statement) -> Statement {
    let Statement { sql, parameters } = page;
    let sql =
        format!("SELECT (SELECT stamp FROM snapshot_stamp) AS stamp, page.records, page.total FROM ({sql}) AS page");
    Statement { sql, parameters }
}

/// The stamp and a record as JSON text. One round trip.
pub async fn stamped(
    session: &Session,
    collection: &Collection,
    id: Uuid,
) -> Result<Option<(Uuid, String)>, StoreError> {
    let (table, record) = (collection.table, collection.representation());
    let sql = format!(
        "SELECT (SELECT stamp FROM snapshot_stamp) AS stamp, ({record})::text AS record FROM {table} r WHERE r.id = $1"
    );
    let row = session.find(&sql, &[&id]).await?;
    Ok(row.map(|row| (row.get("stamp"), row.get("record"))))
}
