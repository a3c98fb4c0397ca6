//! Requests whose time has run out (docs/folio/request-queues.md#expiration). The rule runs over all requests at once:
//! `expire_requests` in `store/sql/replaceable/request.sql`.

use circulation::dates::stored;
use jiff::Timestamp;
use store::{Session, StoreError, lending};

use crate::Desk;

/// Closes the requests whose time has run out, and lets the others of their queues move up; how many these were. Two round
/// trips, and one more for every five hundred titles of expired requests.
///
/// # Errors
/// [`StoreError`]. What has been closed by then stays so.
pub async fn expire_requests(
    desk: &Desk,
    session: &Session,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let configuration = desk.current(session).await?;
    let at = stored(now).to_string();
    lending::expire_requests(session, &at, configuration.title_level_requests).await
}
