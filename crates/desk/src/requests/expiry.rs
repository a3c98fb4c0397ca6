//! Expiring requests (docs/folio/request-queues.md#expiration). The rule runs in the database:
//! `store/sql/replaceable/set_rules/expiry.sql`.

use circulation::dates::stored;
use jiff::Timestamp;
use store::{Session, StoreError};

use crate::Desk;

/// Closes expired requests, moves up the others in their queues, and returns the number closed. Two round trips, and
/// one more per five hundred titles with expired requests.
///
/// # Errors
/// [`StoreError`]. Requests already closed stay closed.
pub async fn expire_requests(desk: &Desk, session: &Session, now: Timestamp) -> Result<i64, StoreError> {
    let configuration = desk.current(session).await?;
    let at = stored(now).to_string();
    store::circulation::expire_requests(session, &at, configuration.title_level_requests).await
}
