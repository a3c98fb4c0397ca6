//! The jobs that send patron notices (docs/folio/notices.md#scheduled-notices). Each first processes pending events, so
//! that a client that runs a job finds all notices up to date.

use circulation::{
    dates::stored,
    notices::scheduled::{FEES, FEES_DAILY, Kind, LOANS, LOANS_DAILY, OVERDUE_FINES, REQUESTS},
};
use desk;
use jiff::SignedDuration;
use jobs::Run;

use crate::{
    answer::Reply,
    app::Place,
    call::Call,
    route::{Answer, Routes},
};

/// The job that processes pending events.
pub(crate) const EVENTS: &str = "notice-events";

/// Path, and the kind of notice it processes.
const PROCESSING: [(&str, Kind); 6] = [
    ("loan-scheduled-notices-processing", LOANS),
    ("due-date-not-real-time-scheduled-notices-processing", LOANS_DAILY),
    ("request-scheduled-notices-processing", REQUESTS),
    ("fee-fine-scheduled-notices-processing", FEES),
    ("overdue-fine-scheduled-notices-processing", OVERDUE_FINES),
    ("fee-fine-not-real-time-scheduled-notices-processing", FEES_DAILY),
];

pub(super) fn routes(routes: &mut Routes) {
    for (name, kind) in PROCESSING {
        let process = move |call| process(call, kind);
        enter(routes, name, process, "Send the scheduled notices that are due");
    }
    let reminders = "scheduled-digital-reminders-processing";
    enter(routes, reminders, remind, "Send and bill the reminders that are due");
    let sessions = "notice-session-expiration-by-timeout";
    enter(routes, sessions, end_idle, "End the sessions of patrons who have left the desk");
}

fn enter<H, F>(routes: &mut Routes, name: &str, handler: H, summary: &str)
where
    H: Fn(Call) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let route = routes.post(&format!("/circulation/{name}"), handler);
    route.summary(summary).timer_of("mod-circulation");
}

/// POST. Four round trips and five for each five hundred notices.
async fn process(call: Call, kind: Kind) -> Answer {
    let desk = &call.tenant.desk;
    desk::deal_with_events(desk, &call.session, call.now).await?;
    let sent = desk::process_scheduled(desk, &call.session, kind, call.now).await?;
    told(&call, sent)
}

/// POST. Four round trips and five for each two hundred reminders.
async fn remind(call: Call) -> Answer {
    let desk = &call.tenant.desk;
    desk::deal_with_events(desk, &call.session, call.now).await?;
    let sent = desk::process_reminders(desk, &call.session, call.now).await?;
    told(&call, sent)
}

fn told(call: &Call, sent: usize) -> Answer {
    if sent > 0 {
        tracing::info!(tenant = call.tenant.tenant.id, route = call.route.path, sent, "notices were processed");
    }
    Ok(Reply::no_content())
}

/// POST. Two round trips.
async fn end_idle(call: Call) -> Answer {
    let configuration = call.tenant.desk.current(&call.session).await?;
    let idle = SignedDuration::from_mins(configuration.session_minutes);
    let before = call.now.checked_sub(idle).unwrap_or(call.now);
    store::circulation::end_idle_sessions(&call.session, &stored(before).to_string()).await?;
    Ok(Reply::no_content())
}

/// Processes pending events.
pub async fn deal_with_events(run: Run<Place>) -> jobs::Outcome {
    desk::deal_with_events(&run.context.tenant.desk, &run.session, run.now).await?;
    Ok(())
}
