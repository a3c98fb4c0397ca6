//! `/automated-patron-blocks/synchronization/…`: counting again what patrons have and owe
//! (docs/folio/patron-blocks.md#counting-again).
//!
//! The counters are kept with each loan and fee, so this changes something only after data was brought in around the
//! triggers. It counts a few hundred patrons at a time, while the desk goes on.

use http::StatusCode;
use jobs::{Failure, Kinds, Outcome, Run};
use serde_json::{Map, Value, json};
use store::{
    patron_blocks::{self, Counted, Synchronization},
    record::{Schema, is_uuid},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    background::Place,
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/automated-patron-blocks/synchronization";
/// The kind of job that does what is open.
const KIND: &str = "patron-block-synchronization";
/// How many patrons one transaction counts: none of them can borrow meanwhile.
const BATCH: i32 = 500;

const MEMBERS: &str = "id:uuid, scope*:(user|full), userId:uuid, status, totalNumberOfLoans:int,
    totalNumberOfFeesFines:int, numberOfProcessedLoans:int, numberOfProcessedFeesFines:int, errors[], metadata:object";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post(&format!("{PATH}/job"), create)
        .summary("Ask for the counters of patron blocks to be counted again")
        .takes(MEMBERS)
        .gives(MEMBERS);
    routes
        .get(&format!("{PATH}/job/{{syncJobId}}"), get)
        .summary("See how far the counting is")
        .gives(MEMBERS);
    routes
        .post(&format!("{PATH}/start"), start)
        .summary("Begin the counting that was asked for")
        .timer_of("mod-patron-blocks");
}

pub(super) fn jobs(kinds: &mut Kinds<Place>) {
    kinds.add(KIND, synchronize);
}

/// POST. One round trip.
async fn create(call: Call) -> Answer {
    let asked = Schema::declare(MEMBERS).accept(call.json()?)?;
    if asked["scope"] == "user" && !asked.contains_key("userId") {
        let text = "UserId is required for synchronization job with scope: USER";
        return Err(Problem::Text(StatusCode::UNPROCESSABLE_ENTITY, text.into()));
    }
    let id = store::new_id();
    let record = opened(id, &asked);
    patron_blocks::enter(&call.session, id, &record, KIND).await?;
    call.wake_jobs();
    let told = json!({"id": id, "scope": asked["scope"], "status": "open", "errors": []});
    Ok(Reply::json(&told).with_status(StatusCode::CREATED))
}

/// The record of a synchronization that has not begun.
fn opened(id: Uuid, asked: &Map<String, Value>) -> Value {
    let mut record = json!({"id": id, "scope": asked["scope"]});
    if let Some(user) = asked.get("userId") {
        record["userId"] = user.clone();
    }
    record["status"] = "open".into();
    let numbers = [
        "totalNumberOfLoans",
        "totalNumberOfFeesFines",
        "numberOfProcessedLoans",
        "numberOfProcessedFeesFines",
    ];
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
    let missing = || Problem::not_found("This synchronization request does not exist");
    found.map(Reply::json_text).ok_or_else(missing)
}

/// POST. One round trip; the counting itself is a job.
async fn start(call: Call) -> Answer {
    patron_blocks::start(&call.session, KIND).await?;
    call.wake_jobs();
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}

/// Does one synchronization after the other, until none is open.
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

/// Two round trips for every five hundred patrons, and one to show how far it is.
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
        run.report(&json!({"patrons": done.patrons, "loans": done.loans, "fees": done.fees}))
            .await?;
    }
}

/// How far it is, as the record tells it.
fn processed(counted: Counted) -> Value {
    json!({"numberOfProcessedLoans": counted.loans, "numberOfProcessedFeesFines": counted.fees})
}
