//! `/_/proxy/tenants/{tenant}/jobs`: the current jobs of a tenant, in addition to the timers that schedule them (FOLIO
//! shows only the timers).

use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use store::{Session, jobs as kept};

use super::{missing, refusals::JOB_UNKNOWN, tenants};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/jobs";

const JOBS: &str = "jobs*[{kind*, waiting*:int, running*:int, failed*:int,
    schedule*?{everySeconds:number, cron, zone}, nextRun*?:datetime, lastRun*?{id*:int, started*:datetime,
    finished*?:datetime, seconds*?:number, state*, attempts*:int, progress*?:any, error*?}}]";

/// The permissions to view and change timers also allow viewing and running their jobs.
pub(super) fn routes(routes: &mut Routes) {
    routes
        .get(PATH, list)
        .needs(&["okapi.proxy.tenants.timers.list"])
        .summary("List the kinds of jobs: what waits, runs and failed, the next and the latest run")
        .gives(JOBS);
    routes
        .post(&format!("{PATH}/run"), run)
        .needs(&["okapi.proxy.tenants.timers.patch"])
        .summary("Run the job of a timer now")
        .gives("kind*")
        .with_status(StatusCode::ACCEPTED)
        .takes("kind*");
    routes
        .post(&format!("{PATH}/retry"), retry)
        .needs(&["okapi.proxy.tenants.timers.patch"])
        .summary("Let the failed jobs of a kind be tried again")
        .takes("kind*")
        .gives("retried*:int")
        .with_status(StatusCode::ACCEPTED);
}

#[derive(Deserialize)]
struct Sent {
    kind: String,
}

/// GET. One round trip in addition to the tenant look-up.
async fn list(call: Call) -> Answer {
    let session = session(&call).await?;
    let kinds = kept::kinds(&session).await?;
    Ok(Reply::json_text(format!("{{\"jobs\":{kinds}}}")))
}

/// POST. 202: the job runs as soon as a process is free.
async fn run(call: Call) -> Answer {
    let sent: Sent = call.parse()?;
    let session = session(&call).await?;
    if !kept::run_now(&session, &sent.kind, call.now).await? {
        return Err(JOB_UNKNOWN.with("kind", &sent.kind).into());
    }
    call.app.bell.ring(call.param("tenant"));
    Ok(Reply::pretty(&json!({"kind": sent.kind})).with_status(StatusCode::ACCEPTED))
}

/// POST. 202, with the number of jobs to be retried.
async fn retry(call: Call) -> Answer {
    let sent: Sent = call.parse()?;
    let session = session(&call).await?;
    let retried = kept::retry(&session, &sent.kind, call.now).await?;
    call.app.bell.ring(call.param("tenant"));
    Ok(Reply::pretty(&json!({"retried": retried})).with_status(StatusCode::ACCEPTED))
}

/// A session on the tables of the tenant in the path, which may differ from the caller's.
async fn session(call: &Call) -> Result<Session, Problem> {
    let tenant = tenants::find(call).await?;
    let state = call.app.tenant(&tenant.id);
    let state = state.ok_or_else(|| missing(&tenant.id))?;
    Ok(call.app.session(&state)?)
}
