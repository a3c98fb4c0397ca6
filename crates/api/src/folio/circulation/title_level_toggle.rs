//! `/tlr-feature-toggle-job/start`: renumbers the queues after a library has turned title-level requests on or off
//! (docs/folio/request-queues.md#title-level-requests-on-and-off). The client that changes the setting adds a job to
//! `/tlr-feature-toggle-job-storage`; this route starts the latest one. The rule runs over all queues at once:
//! `store/sql/replaceable/set_rules/title_level_toggle.sql`.

use http::StatusCode;
use jobs::{Kinds, Outcome, Run};

use crate::{
    answer::Reply,
    app::Place,
    call::Call,
    route::{Answer, Routes},
};

/// The kind of job that carries out an open toggle job.
const KIND: &str = "title-level-toggle";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/tlr-feature-toggle-job/start", start)
        .summary("Renumber the request queues after title-level requests were switched on or off")
        .with_status(StatusCode::ACCEPTED)
        .timer_of("mod-circulation-storage");
}

pub(super) fn jobs(kinds: &mut Kinds<Place>) {
    kinds.add(KIND, renumber);
}

/// POST. One round trip; a job does the renumbering.
async fn start(call: Call) -> Answer {
    store::circulation::start_title_level_toggle(&call.session, KIND).await?;
    call.wake_jobs();
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}

/// Three round trips for any number of requests.
async fn renumber(run: Run<Place>) -> Outcome {
    let Some(toggle) = store::circulation::begin_title_level_toggle(&run.session).await? else {
        return Ok(());
    };
    let configuration = run.context.tenant.desk.current(&run.session).await?;
    let at = circulation::dates::stored(run.now).to_string();
    let of_titles = configuration.title_level_requests;
    let renumbered = store::circulation::renumber_queues(&run.session, toggle, of_titles, &at).await;
    if let Err(error) = renumbered {
        store::circulation::fail_title_level_toggle(&run.session, toggle, &error.to_string()).await?;
    }
    Ok(())
}
