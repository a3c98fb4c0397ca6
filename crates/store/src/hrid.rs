//! The settings of human-readable ids. The ids themselves are handed out inside the statement that writes a record
//! (`sql/replaceable/hrid.sql`).

use serde_json::Value;

use crate::{db::Session, error::StoreError};

/// The settings as JSON, with the last number of each kind. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn settings(session: &Session) -> Result<String, StoreError> {
    Ok(session
        .get("SELECT hrid_settings_with_numbers()::text", &[])
        .await?
        .get(0))
}

/// Replaces the settings and starts the numbers of instances, holdings and items at `starts`. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn replace(
    session: &Session,
    settings: &Value,
    starts: [i64; 3],
) -> Result<(), StoreError> {
    let [instances, holdings, items] = starts;
    let sql = "SELECT replace_hrid_settings($1, $2, $3, $4)";
    session
        .query(sql, &[settings, &instances, &holdings, &items])
        .await?;
    Ok(())
}
