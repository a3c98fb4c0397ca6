//! Anonymizes closed loans and requests (docs/folio/anonymization.md). The loan and its history stay; fees and fines
//! stay with the patron, as in FOLIO.

use desk::{self, Anonymized, PastLoans};
use jobs::{Kinds, Outcome, Run};
use serde_json::{Value, json};

use super::refusals::LOAN_IDS_NOT_LISTED;
use crate::{
    answer::Reply,
    app::Place,
    call::Call,
    route::{Answer, Routes},
};

/// The loan anonymization job. A POST reports the outcome of each loan; a run by the timer does not.
const LOANS: &str = "/circulation/scheduled-anonymize-processing";
/// The request anonymization job.
const REQUESTS: &str = "/circulation/scheduled-request-anonymize-processing";
/// The maximum number of loans reported to a client that posts the job; FOLIO's default.
const TOLD: usize = 50_000;
/// The outcome for each loan.
const ANONYMIZED: &str = "anonymizedLoans*[uuid], errors*[{message*, parameters*[{key*, value*}]}]";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/loan-anonymization/by-user/{userId}", by_user)
        .summary("Anonymize a user's closed loans without fees or fines")
        .gives(ANONYMIZED);
    routes
        .post(LOANS, scheduled)
        .summary("Anonymize closed loans as the library has set")
        .gives(ANONYMIZED)
        .timer_of("mod-circulation");
    routes
        .post(REQUESTS, scheduled_requests)
        .summary("Anonymize closed requests as the library has set")
        .timer_of("mod-circulation");
    routes
        .post("/loan-storage/loans/anonymize/{userId}", of_user)
        .summary("Anonymize the closed loans of a user")
        .refuses(&[422]);
    routes
        .post("/anonymize-storage-loans", listed)
        .summary("Anonymize the listed closed loans")
        .gives("anonymizedLoans*[], notAnonymizedLoans*[{reason*, loanIds*[]}]")
        .refuses(&[422])
        .takes("loanIds[]");
    routes
        .post("/request-anonymization/{requestId}", one_request)
        .summary("Anonymize a closed request")
        .gives("requestId*, anonymized*:bool")
        .refuses(&[422]);
}

/// Adds the timer's versions of the jobs, which do not report individual loans and so need not remember them.
pub(super) fn jobs(kinds: &mut Kinds<Place>) {
    kinds.add(LOANS, anonymize_loans);
    kinds.add(REQUESTS, anonymize_requests);
}

/// POST. Anonymizes at most five thousand closed loans without fees or fines and gives the reason the others stay. Two
/// round trips.
async fn by_user(call: Call) -> Answer {
    let done = desk::anonymize_user(&call.session, call.param("userId")).await?;
    Ok(shown(&done))
}

/// POST of the job. One round trip for the settings and one for each five thousand loans.
async fn scheduled(call: Call) -> Answer {
    let done = desk::anonymize_and_tell(&call.session, TOLD, call.now).await?;
    Ok(shown(&done))
}

/// The response. FOLIO's error parameters hold only text, so the list of ids is one text.
fn shown(done: &Anonymized) -> Reply {
    let errors: Vec<_> = done
        .kept
        .iter()
        .map(|(reason, ids)| {
            let ids = Value::from(ids.clone()).to_string();
            json!({"message": reason, "parameters": [{"key": "loanIds", "value": ids}]})
        })
        .collect();
    Reply::pretty(&json!({"anonymizedLoans": done.loans, "errors": errors}))
}

/// The loan job, run by its timer: anonymizes every due loan.
async fn anonymize_loans(run: Run<Place>) -> Outcome {
    let history = desk::forgets(&run.session).await?.loans;
    if history.never_comes() {
        return Ok(());
    }
    let mut loans = PastLoans::due(&history, run.now);
    let (mut anonymized, mut kept) = (0, 0);
    while let Some(batch) = loans.next(&run.session).await? {
        anonymized += batch.loans.len();
        kept += batch.kept.iter().map(|(_, ids)| ids.len()).sum::<usize>();
        run.report(&json!({"anonymized": anonymized, "kept": kept})).await?;
    }
    Ok(())
}

/// POST of the job. One round trip for the settings and one for each five thousand requests.
async fn scheduled_requests(call: Call) -> Answer {
    let Some(delay) = desk::forgets(&call.session).await?.requests else {
        return Ok(Reply::no_content());
    };
    while desk::anonymize_requests(&call.session, &delay, call.now).await?.is_some() {}
    Ok(Reply::no_content())
}

/// The request job, run by its timer.
async fn anonymize_requests(run: Run<Place>) -> Outcome {
    let Some(delay) = desk::forgets(&run.session).await?.requests else {
        return Ok(());
    };
    let mut anonymized = 0;
    while let Some(batch) = desk::anonymize_requests(&run.session, &delay, run.now).await? {
        anonymized += batch;
        run.report(&json!({"anonymized": anonymized})).await?;
    }
    Ok(())
}

/// POST. All of a user's closed loans, with or without fees. One round trip.
async fn of_user(call: Call) -> Answer {
    desk::anonymize_all_of_user(&call.session, call.param("userId")).await?;
    Ok(Reply::no_content())
}

/// POST of a list of ids. One round trip.
async fn listed(call: Call) -> Answer {
    let body = call.json()?;
    let ids: Vec<&str> = match &body["loanIds"] {
        Value::Null => vec![],
        Value::Array(ids) => ids.iter().map(|id| id.as_str().unwrap_or("null")).collect(),
        _ => return Err(LOAN_IDS_NOT_LISTED.into()),
    };
    let (valid, invalid) = desk::anonymize_listed(&call.session, &ids).await?;
    let left = match invalid.is_empty() {
        true => json!([]),
        false => json!([{"reason": "invalidLoanIds", "loanIds": invalid}]),
    };
    Ok(Reply::json(&json!({"anonymizedLoans": valid, "notAnonymizedLoans": left})))
}

/// POST. One round trip.
async fn one_request(call: Call) -> Answer {
    let request = call.param("requestId");
    desk::anonymize_request(&call.session, request, call.now).await?;
    Ok(Reply::pretty(&json!({"requestId": request, "anonymized": true})))
}
