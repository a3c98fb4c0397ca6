//! Queries for harvesters: which instances changed, and instances with all their holdings and items. Results are
//! streamed row by row.

use uuid::Uuid;

use crate::{
    db::{Rows, Session},
    error::StoreError,
};

/// Selects changed instances.
#[derive(Debug, Clone)]
pub struct Changed<'a> {
    /// Earliest change, in stored form.
    pub from: &'a str,
    /// Latest change, in stored form.
    pub until: &'a str,
    /// Includes deleted instances.
    pub deleted: bool,
    /// Excludes instances suppressed from discovery.
    pub skip_suppressed: bool,
    /// Counts only changes of the instance itself, not those of its holdings and items.
    pub instance_alone: bool,
    /// Only instances of this source.
    pub source: Option<&'a str>,
}

/// The changed instances, one JSON text per row.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn updated_instances(session: &Session, asked: &Changed<'_>) -> Result<Rows, StoreError> {
    let sql = crate::statements::inventory::UPDATED_INSTANCES;
    session
        .stream(
            sql,
            &[&asked.from, &asked.until, &asked.deleted, &asked.skip_suppressed, &asked.instance_alone, &asked.source],
        )
        .await
}

/// Instances with their holdings and items, one JSON text per row.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn items_and_holdings(
    session: &Session,
    instances: &[Uuid],
    skip_suppressed: bool,
) -> Result<Rows, StoreError> {
    let sql = crate::statements::inventory::ITEMS_AND_HOLDINGS;
    session.stream(sql, &[&instances, &skip_suppressed]).await
}
