//! Requests whose time has run out (docs/folio/request-queues.md#expiration).

use circulation::dates::stored;
use store::lending;

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/scheduled-request-expiration", expire)
        .summary("Close the requests whose time has run out")
        .timer_of("mod-circulation-storage");
}

/// POST. Two round trips, and one more for every five hundred titles of expired requests.
async fn expire(call: Call) -> Answer {
    let configuration = call.tenant.desk.current(&call.session).await?;
    let (at, titles) = (
        stored(call.now).to_string(),
        configuration.title_level_requests,
    );
    let closed = lending::expire_requests(&call.session, &at, titles).await?;
    if closed > 0 {
        tracing::info!(closed, "requests have expired");
    }
    Ok(Reply::no_content())
}
