//! Request slips and reports: pick slips, hold shelf clearance, items in transit. One round trip each.

use std::sync::Arc;

use circulation::{
    check_in::in_transit::InTransitRow,
    configuration::Configuration,
    records::{Instance, Item, ItemStatus, QueuedRequest},
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

/// A request whose item staff need to find.
#[derive(Debug, Clone, Deserialize)]
pub struct SlipRow {
    /// Absent for a hold that any copy fills.
    pub item: Option<Item>,
    /// The instance.
    #[serde(default)]
    pub instance: Option<Instance>,
    /// The request with its requester.
    #[serde(flatten)]
    pub queued: QueuedRequest,
}

/// Report rows, and the configuration to show them with.
pub type Report<T> = (Vec<T>, Arc<Configuration>);

/// Unfilled requests of one type for items at locations with this primary service point.
pub async fn slips(
    desk: &Desk,
    session: &Session,
    service_point: Uuid,
    kind: RequestKind,
) -> Result<Report<SlipRow>, StoreError> {
    let statuses: Vec<&str> = match kind {
        RequestKind::Page => vec![ItemStatus::Paged.name()],
        kind => kind.statuses().map(ItemStatus::name).collect(),
    };
    let parameters: [Parameter<'_>; 3] = [&service_point, &kind.name(), &statuses];
    rows(desk, session, REQUEST_SLIPS, &parameters).await
}

/// The last requests of items left on the hold shelf with no open request.
pub async fn hold_shelf_clearance(
    desk: &Desk,
    session: &Session,
    service_point: Uuid,
) -> Result<Report<RequestRow>, StoreError> {
    rows(desk, session, HOLD_SHELF_CLEARANCE, &[&service_point]).await
}

/// All items in transit.
pub async fn items_in_transit(desk: &Desk, session: &Session) -> Result<Report<InTransitRow>, StoreError> {
    rows(desk, session, ITEMS_IN_TRANSIT, &[]).await
}

async fn rows<T: DeserializeOwned>(
    desk: &Desk,
    session: &Session,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Report<T>, StoreError> {
    let row = session.get(sql, parameters).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    Ok((row.record("reported")?.unwrap_or_default(), configuration))
}
