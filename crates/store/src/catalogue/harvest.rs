//! What harvesters read: which instances changed, and instances with all their holdings and items. The answers come
//! row by row, however many there are.

use uuid::Uuid;

use crate::{
    db::{Rows, Session},
    error::StoreError,
};

/// Which changed instances are asked for.
#[derive(Debug, Clone)]
pub struct Changed<'a> {
    /// From this instant on, as stored.
    pub from: &'a str,
    /// Until this instant, as stored.
    pub until: &'a str,
    /// Deleted instances too.
    pub deleted: bool,
    /// Not those suppressed from discovery.
    pub skip_suppressed: bool,
    /// A change of the instance alone counts, not of its holdings and items.
    pub instance_alone: bool,
    /// Only those of this source.
    pub source: Option<&'a str>,
}

/// The changed instances, a JSON text each.
///
/// # Errors
/// [`StoreError`]; later ones come with the rows.
pub async fn updated_instances(session: &Session, asked: &Changed<'_>) -> Result<Rows, StoreError> {
    let sql = crate::statements::catalogue::UPDATED_INSTANCES;
    session
        .stream(
            sql,
            &[
                &asked.from,
                &asked.until,
                &asked.deleted,
                &asked.skip_suppressed,
                &asked.instance_alone,
                &asked.source,
            ],
        )
        .await
}

/// Instances with their holdings and items, a JSON text each.
///
/// # Errors
/// [`StoreError`]; later ones come with the rows.
pub async fn items_and_holdings(
    session: &Session,
    instances: &[Uuid],
    skip_suppressed: bool,
) -> Result<Rows, StoreError> {
    let sql = crate::statements::catalogue::ITEMS_AND_HOLDINGS;
    session.stream(sql, &[&instances, &skip_suppressed]).await
}
