//! Closed loans and requests that forget who had them (docs/folio/anonymization.md). The loan itself stays, and
//! so does what happened to it; its fees and fines stay with the patron, as in FOLIO.

use circulation::refusal::Told;
use desk::{self, PastLoans};
use jobs::{Kinds, Outcome, Run};
use serde_json::{Value, json};
use store::{lending, record};
use uuid::Uuid;

use super::told::refused;
use crate::{
    answer::{ErrorItem, Problem, Reply},
    background::Place,
    call::Call,
    route::{Answer, Routes},
};

/// The job for loans. Posted to, it tells what became of each loan; run by its timer, it does not.
const LOANS: &str = "/circulation/scheduled-anonymize-processing";
/// The job for requests.
const REQUESTS: &str = "/circulation/scheduled-request-anonymize-processing";
/// How many loans a client that posts to the job is told of, as FOLIO's default has it.
const TOLD: usize = 50_000;

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/loan-anonymization/by-user/{userId}", by_user)
        .summary("Anonymize a user's closed loans without fees or fines");
    routes
        .post(LOANS, scheduled)
        .summary("Anonymize closed loans as the library has set")
        .timer_of("mod-circulation");
    routes
        .post(REQUESTS, scheduled_requests)
        .summary("Anonymize closed requests as the library has set")
        .timer_of("mod-circulation");
    routes
        .post("/loan-storage/loans/anonymize/{userId}", of_user)
        .summary("Take a user out of closed loans");
    routes
        .post("/anonymize-storage-loans", listed)
        .summary("Take the borrowers out of the listed closed loans")
        .takes("loanIds[]");
    routes
        .post("/request-anonymization/{requestId}", one_request)
        .summary("Take the people out of a closed request");
}

/// Enters the jobs that tell nobody what became of each loan, and so need not remember.
pub(super) fn jobs(kinds: &mut Kinds<Place>) {
    kinds.add(LOANS, anonymize_loans);
    kinds.add(REQUESTS, anonymize_requests);
}

/// POST. Closed loans without fees or fines, at most five thousand; the others are named with the reason they stay. Two
/// round trips.
async fn by_user(call: Call) -> Answer {
    let Some(user) = uuid(call.param("userId")) else {
        return Ok(told(&[], &[]));
    };
    let loans = lending::closed_loans_of(&call.session, user).await?;
    let (kept, free): (Vec<_>, Vec<_>) = loans.into_iter().partition(|(_, has_fees)| *has_fees);
    let free: Vec<_> = free.into_iter().map(|(id, _)| id).collect();
    let done = lending::anonymize_loans(&call.session, &free).await?;
    let kept: Vec<_> = kept.iter().map(|(id, _)| json!(id)).collect();
    let reasons = if kept.is_empty() {
        vec![]
    } else {
        vec![("haveAssociatedFeesAndFines".to_owned(), kept)]
    };
    Ok(told(&done, &reasons))
}

/// POST of the job. One round trip for the settings and one for every five thousand loans.
async fn scheduled(call: Call) -> Answer {
    let done = desk::anonymize_and_tell(&call.session, TOLD, call.now).await?;
    Ok(told(&done.loans, &done.kept))
}

/// The answer; FOLIO's errors have texts only, so the list of ids is one.
fn told(anonymized: &[Uuid], kept: &[(String, Vec<Value>)]) -> Reply {
    let errors: Vec<_> = kept
        .iter()
        .map(|(reason, ids)| {
            let ids = Value::from(ids.clone()).to_string();
            json!({"message": reason, "parameters": [{"key": "loanIds", "value": ids}]})
        })
        .collect();
    Reply::pretty(&json!({"anonymizedLoans": anonymized, "errors": errors}))
}

/// The job for loans, run by its timer: all that are due, however many.
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
        run.report(&json!({"anonymized": anonymized, "kept": kept}))
            .await?;
    }
    Ok(())
}

/// POST of the job. One round trip for the settings and one for every five thousand requests.
async fn scheduled_requests(call: Call) -> Answer {
    let Some(delay) = desk::forgets(&call.session).await?.requests else {
        return Ok(Reply::no_content());
    };
    while desk::anonymize_requests(&call.session, &delay, call.now)
        .await?
        .is_some()
    {}
    Ok(Reply::no_content())
}

/// The job for requests, run by its timer.
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

/// POST. All closed loans, whether or not they have fees. One round trip.
async fn of_user(call: Call) -> Answer {
    let text = call.param("userId");
    let Some(user) = uuid(text) else {
        let message = "Invalid user ID, should be a UUID";
        return Err(Problem::unprocessable(&[ErrorItem::rmb(
            message, "userId", text,
        )]));
    };
    lending::anonymize_loans_of(&call.session, user).await?;
    Ok(Reply::no_content())
}

/// POST of a list of ids, some of which may be none. As in FOLIO, every valid id counts as done, though an open loan keeps
/// its borrower. One round trip.
async fn listed(call: Call) -> Answer {
    let body = call.json()?;
    let texts: Vec<&str> = match &body["loanIds"] {
        Value::Null => vec![],
        Value::Array(ids) => ids.iter().map(|id| id.as_str().unwrap_or("null")).collect(),
        _ => {
            return Err(Problem::bad_request(
                "Json content error: loanIds is no list",
            ));
        }
    };
    let (valid, invalid): (Vec<&str>, Vec<&str>) =
        texts.iter().partition(|text| uuid(text).is_some());
    if valid.is_empty() {
        let value = format!("[{}]", texts.join(", "));
        let error = ErrorItem::rmb("Please provide valid loanIds", "loanIds", &value);
        return Err(Problem::unprocessable(&[error]));
    }
    let ids: Vec<_> = valid.iter().filter_map(|text| uuid(text)).collect();
    lending::anonymize_loans(&call.session, &ids).await?;
    let left = match invalid.is_empty() {
        true => json!([]),
        false => json!([{"reason": "invalidLoanIds", "loanIds": invalid}]),
    };
    Ok(Reply::json(
        &json!({"anonymizedLoans": valid, "notAnonymizedLoans": left}),
    ))
}

/// POST. One round trip.
async fn one_request(call: Call) -> Answer {
    let text = call.param("requestId");
    let refuse = |message: &str| refused([Told::new(message).about("requestId", Some(text))]);
    let id = Uuid::try_parse(text).map_err(|_| refuse("invalidRequestId"))?;
    let at = circulation::dates::stored(call.now).to_string();
    let status = lending::anonymize_request(&call.session, id, &at).await?;
    let Some(status) = status else {
        let text = format!("requests record with ID \"{id}\" cannot be found");
        return Err(Problem::not_found(text));
    };
    // FOLIO leaves this one open status out of those it knows.
    match status.as_str() {
        status if status.starts_with("Closed") => Ok(Reply::pretty(
            &json!({"requestId": text, "anonymized": true}),
        )),
        "Open - Awaiting delivery" => Err(refuse("requestNotEligibleForAnonymization")),
        _ => Err(refuse("requestNotClosed")),
    }
}

fn uuid(text: &str) -> Option<Uuid> {
    Uuid::parse_str(text).ok().filter(|_| record::is_uuid(text))
}
