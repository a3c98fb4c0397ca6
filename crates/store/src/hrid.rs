//! Settings of human-readable ids (HRIDs). The ids themselves are assigned by the statement that writes a record
//! (`sql/replaceable/writes/hrid.sql`).

use serde_json::Value;

use crate::{db::Session, error::StoreError};

/// The settings as JSON, with the last number of each kind.
pub async fn settings(session: &Session) -> Result<String, StoreError> {
    session.value("SELECT hrid_settings_with_numbers()::text", &[]).await
}

/// Replaces the settings and sets the next numbers of instances, holdings and items to `starts`.
pub async fn replace(session: &Session, settings: &Value, starts: [i64; 3]) -> Result<(), StoreError> {
    let [instances, holdings, items] = starts;
    let sql = "SELECT replace_hrid_settings($1, $2, $3, $4)";
    session.query(sql, &[settings, &instances, &holdings, &items]).await?;
    Ok(())
}
