//! Expiration of requests (docs/folio/request-queues.md#expiration).

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes.post("/scheduled-request-expiration", expire).summary("Expire requests").timer_of("mod-circulation-storage");
}

/// POST of the job. Two round trips, and one more for each five hundred titles with expired requests.
async fn expire(call: Call) -> Answer {
    let closed = desk::expire_requests(&call.tenant.desk, &call.session, call.now).await?;
    if closed > 0 {
        tracing::info!(closed, "requests have expired");
    }
    Ok(Reply::no_content())
}
