//! `/automated-patron-blocks/synchronization/…`: recounts patrons' loans and debts
//! (docs/folio/patron-blocks.md#counting-again).
//!
//! Triggers keep the counters current, so a recount changes something only after an import that bypassed the triggers.
//! It recounts a few hundred patrons at a time, while circulation goes on.

use http::StatusCode;
use jobs::{Failure, Kinds, Outcome, Run};
use serde_json::{Map, Value, json};
use store::{
    patron_blocks::{self, Counted, Synchronization},
    record::{Schema, is_uuid},
};
use uuid::Uuid;

use super::refusals::{COUNTING_UNKNOWN, COUNTING_WITHOUT_USER};
use crate::{
    answer::Reply,
    app::Place,
    call::Call,
    route::{Answer, Form, Routes},
};

const PATH: &str = "/automated-patron-blocks/synchronization";
/// The kind of job that carries out open synchronizations.
const KIND: &str = "patron-block-synchronization";
/// Patrons per transaction. They cannot borrow while it runs.
const BATCH: i32 = 500;

const MEMBERS: &str = "id:uuid, scope*:(user|full), userId:uuid, status, totalNumberOfLoans:int,
    totalNumberOfFeesFines:int, numberOfProcessedLoans:int, numberOfProcessedFeesFines:int, errors[], metadata:Metadata";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post(&format!("{PATH}/job"), create)
        .summary("Create a synchronization of patron blocks")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .refuses_as(422, Form::Text)
        .takes(MEMBERS)
        .gives(MEMBERS);
    routes
        .get(&format!("{PATH}/job/{{syncJobId}}"), get)
        .summary("Read a synchronization of patron blocks")
        .gives(MEMBERS);
    routes
        .post(&format!("{PATH}/start"), start)
        .summary("Start the synchronizations of patron blocks")
        .with_status(StatusCode::ACCEPTED)
        .timer_of("mod-patron-blocks");
}

pub(super) fn jobs(kinds: &mut Kinds<Place>) {
    kinds.add(KIND, synchronize);
}

/// POST. One round trip.
async fn create(call: Call) -> Answer {
    let asked = Schema::declare(MEMBERS).accept(call.json()?)?;
    if asked["scope"] == "user" && !asked.contains_key("userId") {
        return Err(COUNTING_WITHOUT_USER.into());
    }
    let id = store::new_id();
    let record = opened(id, &asked);
    patron_blocks::enter(&call.session, id, &record, KIND).await?;
    call.wake_jobs();
    let told = json!({"id": id, "scope": asked["scope"], "status": "open", "errors": []});
    Ok(Reply::json(&told).with_status(StatusCode::CREATED))
}

fn opened(id: Uuid, asked: &Map<String, Value>) -> Value {
    let mut record = json!({"id": id, "scope": asked["scope"]});
    if let Some(user) = asked.get("userId") {
        record["userId"] = user.clone();
    }
    record["status"] = "open".into();
    let numbers =
        ["totalNumberOfLoans", "totalNumberOfFeesFines", "numberOfProcessedLoans", "numberOfProcessedFeesFines"];
    for number in numbers {
        record[number] = 0.into();
    }
    record["errors"] = json!([]);
    record
}

/// GET. One round trip.
async fn get(call: Call) -> Answer {
    let text = call.param("syncJobId");
    let id = Uuid::parse_str(text).ok().filter(|_| is_uuid(text));
    let found = match id {
        Some(id) => patron_blocks::find(&call.session, id).await?,
        None => None,
    };
    found.map(Reply::json_text).ok_or_else(|| COUNTING_UNKNOWN.into())
}

/// POST. One round trip; a job does the recount.
async fn start(call: Call) -> Answer {
    patron_blocks::start(&call.session, KIND).await?;
    call.wake_jobs();
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}

/// Carries out one synchronization after another until none is open.
async fn synchronize(run: Run<Place>) -> Outcome {
    while let Some(begun) = patron_blocks::begin(&run.session).await? {
        let members = match count(&run, begun).await {
            Ok(()) => json!({"status": "done"}),
            Err(Failure::Stopped) => return Err(Failure::Stopped),
            Err(Failure::Later(error) | Failure::Never(error)) => {
                json!({"status": "failed", "errors": [error]})
            }
        };
        patron_blocks::keep(&run.session, begun.id, &members).await?;
    }
    Ok(())
}

/// Two round trips for each five hundred patrons, and one to record the progress.
async fn count(run: &Run<Place>, synchronization: Synchronization) -> Outcome {
    if let Some(patron) = synchronization.patron {
        let counted = patron_blocks::recount(&run.session, patron).await?;
        let progress = processed(counted);
        patron_blocks::keep(&run.session, synchronization.id, &progress).await?;
        return Ok(());
    }
    let mut done = Counted::default();
    let mut after = Uuid::nil();
    loop {
        let batch = patron_blocks::recount_after(&run.session, after, BATCH).await?;
        let Some(last) = batch.last else {
            return Ok(());
        };
        after = last;
        done.patrons += batch.patrons;
        done.loans += batch.loans;
        done.fees += batch.fees;
        patron_blocks::keep(&run.session, synchronization.id, &processed(done)).await?;
        run.report(&json!({"patrons": done.patrons, "loans": done.loans, "fees": done.fees})).await?;
    }
}

/// The progress, as the record shows it.
fn processed(counted: Counted) -> Value {
    json!({"numberOfProcessedLoans": counted.loans, "numberOfProcessedFeesFines": counted.fees})
}
