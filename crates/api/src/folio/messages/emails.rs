//! `/email` and its delayed tasks (mod-email).

use std::sync::Arc;

use http::StatusCode;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use jobs::{Outcome, Run};
use messages::{mail::queue, refusal::NOT_UNDERSTOOD};
use serde_json::{Value, json};
use store::{
    collection::Collection,
    jobs::{NewJob, enqueue},
    query,
    record::print_instant,
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    app::Place,
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

/// The job that sends e-mails. SQL adds it, too.
pub const EMAILS: &str = "emails";

pub(super) fn routes(routes: &mut Routes, emails: &Arc<Collection>) {
    serve(routes, emails, "post", send).gives_text().with_status(StatusCode::OK);
    serve(routes, emails, "list", list);
    routes
        .delete("/delayedTask/expiredMessages", forget)
        .summary("Forget e-mails that were sent long ago")
        .asks("expirationDate, emailStatus");
    routes
        .post("/delayedTask/retryFailedEmails", retry)
        .summary("Send the e-mails that are due")
        .with_status(StatusCode::ACCEPTED)
        .timer_of("mod-email");
}

/// POST of an e-mail, which is stored before it is sent. Three round trips.
async fn send(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, mut record) = collections::accepted(&call, &collection, None)?;
    for (member, value) in [
        ("status", json!("PROCESSING")),
        ("shouldRetry", true.into()),
        ("attemptCount", 0.into()),
        ("date", print_instant(call.now).into()),
    ] {
        record.insert(member.into(), value);
    }
    enter(&call, &[(id, Value::Object(record))]).await?;
    Ok(Reply::text(queue::send_one(&call.session, id, call.now).await?))
}

/// GET of the e-mails. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let request = collections::asked(&call, &collection)?;
    if let Some(cql) = request.cql {
        query::read(&call.app.collections, &collection, cql).map_err(|_| NOT_UNDERSTOOD)?;
    }
    collections::page(&call, &collection, &request).await
}

/// Adds e-mails to the queue. One round trip.
pub(super) async fn enter(call: &Call, emails: &[(Uuid, Value)]) -> Result<(), Problem> {
    let (ids, docs): (Vec<Uuid>, Vec<&Value>) = emails.iter().map(|(id, doc)| (*id, doc)).unzip();
    let sql = store::statements::messages::ADD_EMAIL;
    call.session.execute(sql, &[&ids, &docs, &call.now]).await?;
    Ok(())
}

/// POST. Two round trips for each fifty e-mails.
async fn retry(call: Call) -> Answer {
    queue::send_due(&call.session, call.now).await?;
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}

/// DELETE of the e-mails with a status, by default delivered ones, from before a date. One round trip.
async fn forget(call: Call) -> Answer {
    let given = |name: &str| call.query.get(name).filter(|text| !text.trim().is_empty());
    let before = given("expirationDate").map(start_of_day).transpose()?;
    let status = given("emailStatus").map(str::to_uppercase);
    let status = status.filter(|status| ["DELIVERED", "FAILURE", "PROCESSING"].contains(&status.as_str()));
    let status = status.unwrap_or_else(|| "DELIVERED".to_owned());
    queue::forget(&call.session, before, Some(&status), call.now).await?;
    Ok(Reply::no_content())
}

fn start_of_day(text: &str) -> Result<Timestamp, Problem> {
    // A longer text has a time or a zone, which mod-email cannot parse.
    if text.len() != "yyyy-MM-dd".len() {
        return Err(NOT_UNDERSTOOD.into());
    }
    let date: Date = text.parse().map_err(|_| NOT_UNDERSTOOD)?;
    let start = date.to_zoned(TimeZone::UTC).map_err(|_| NOT_UNDERSTOOD)?;
    Ok(start.timestamp())
}

/// Sends due e-mails, deletes old ones, and runs again while there is more to do.
pub async fn work(run: Run<Place>) -> Outcome {
    let next = queue::send_due(&run.session, run.now).await?;
    queue::forget(&run.session, None, None, run.now).await?;
    if next.is_some() {
        let job = NewJob { kind: EMAILS, payload: &json!({}), run_after: next, key: Some(EMAILS) };
        enqueue(&run.session, &job).await?;
    }
    Ok(())
}
