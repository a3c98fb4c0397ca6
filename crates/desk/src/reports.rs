//! What staff fetch, search for and clear away: slips and reports of requests. One round trip each.

use std::sync::Arc;

use circulation::{
    check_in::in_transit::InTransitRow,
    configuration::Configuration,
    records::{Instance, Item, QueuedRequest},
    requests::{kind::RequestKind, representation::RequestRow},
};
use serde::{Deserialize, de::DeserializeOwned};
use store::{
    Session, StoreError,
    db::Parameter,
    statements::circulation::{HOLD_SHELF_CLEARANCE, ITEMS_IN_TRANSIT, REQUEST_SLIPS},
};
use uuid::Uuid;

use super::{Columns, Desk};

/// A request that staff look for an item for.
#[derive(Debug, Clone, Deserialize)]
pub struct SlipRow {
    /// The item; none for a hold that any copy fills.
    pub item: Option<Item>,
    /// The title.
    #[serde(default)]
    pub instance: Option<Instance>,
    /// The request, with who asks.
    #[serde(flatten)]
    pub queued: QueuedRequest,
}

/// Rows, and the configuration that they are shown by.
pub type Report<T> = (Vec<T>, Arc<Configuration>);

/// Requests of that type which nothing has been fetched for yet, at locations whose primary service point this is.
///
/// # Errors
/// [`StoreError`].
pub async fn slips(
    desk: &Desk,
    session: &Session,
    service_point: Uuid,
    kind: RequestKind,
) -> Result<Report<SlipRow>, StoreError> {
    let statuses: Vec<&str> = match kind {
        RequestKind::Page => vec!["Paged"],
        _ => RequestKind::HELD_STATUSES.to_vec(),
    };
    let parameters: [Parameter<'_>; 3] = [&service_point, &kind.name(), &statuses];
    rows(desk, session, REQUEST_SLIPS, &parameters).await
}

/// The last requests of items that lie on a hold shelf and that nobody waits for any more.
///
/// # Errors
/// [`StoreError`].
pub async fn hold_shelf_clearance(
    desk: &Desk,
    session: &Session,
    service_point: Uuid,
) -> Result<Report<RequestRow>, StoreError> {
    rows(desk, session, HOLD_SHELF_CLEARANCE, &[&service_point]).await
}

/// Every item in transit.
///
/// # Errors
/// [`StoreError`].
pub async fn items_in_transit(
    desk: &Desk,
    session: &Session,
) -> Result<Report<InTransitRow>, StoreError> {
    rows(desk, session, ITEMS_IN_TRANSIT, &[]).await
}

async fn rows<T: DeserializeOwned>(
    desk: &Desk,
    session: &Session,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Report<T>, StoreError> {
    let row = session.get(sql, parameters).await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    Ok((row.record(1)?.unwrap_or_default(), configuration))
}
