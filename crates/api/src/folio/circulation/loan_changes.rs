//! Loan records made and changed by clients, and small changes of a loan: `POST`, `PUT` and `DELETE` of
//! `/circulation/loans`, `…/add-info`, `…/change-due-date`, `…/claim-item-returned`
//! (docs/folio/loans.md#loan-records-of-clients).

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    loans::{
        change::{self, LoanChange, LoanContext, LoanRefusal, NotChanged},
        representation::{self, LoanSurroundings},
    },
    records::Loan,
};
use desk::{self, Changed, Failed, Operator, Subject, collections::LOAN_MEMBERS};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{collection::Collection, lending};
use uuid::Uuid;

use super::told::{refused, rules_failed};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/loans";

/// Members of a loan as circulation shows it that are not kept with the loan.
const SHOWN_ONLY: [&str; 10] = [
    "item",
    "borrower",
    "checkinServicePoint",
    "checkoutServicePoint",
    "patronGroupAtCheckout",
    "loanPolicy",
    "overdueFinePolicy",
    "lostItemPolicy",
    "feesAndFines",
    "metadata",
];

pub(super) fn routes(routes: &mut Routes) {
    let one = format!("{PATH}/{{id}}");
    routes
        .post(PATH, create)
        .summary("Make a loan record")
        .takes(LOAN_MEMBERS)
        .gives(LOAN_MEMBERS);
    routes
        .put(&one, replace)
        .summary("Replace a loan record")
        .takes(LOAN_MEMBERS);
    routes.delete(&one, delete).summary("Delete a loan record");
    routes
        .delete(PATH, delete_all)
        .summary("Delete every loan record");
    routes
        .post(&format!("{one}/add-info"), add_info)
        .summary("Add a note for patron or staff to a loan")
        .takes("action*:(patronInfoAdded|staffInfoAdded), actionComment*");
    routes
        .post(&format!("{one}/change-due-date"), change_due_date)
        .summary("Set the due date of a loan")
        .at_the_desk()
        .takes("dueDate*:datetime");
    routes
        .post(&format!("{one}/claim-item-returned"), claim_returned)
        .summary("Note that the patron claims to have returned the item")
        .at_the_desk()
        .takes("itemClaimedReturnedDateTime*:datetime, comment");
}

/// POST of a loan. Two round trips.
async fn create(call: Call) -> Answer {
    let written = written(&call, None)?;
    let subject = Subject::written(&written, None);
    let changed = change(&call, subject, |context, configuration| {
        change::create(context, configuration, written.clone(), call.now)
    })
    .await?;
    let location = format!("{PATH}/{}", written.text("id").unwrap_or_default());
    Ok(Reply::pretty(&shown(&changed, call.now)).created(&location))
}

/// PUT of a loan. Two round trips.
async fn replace(call: Call) -> Answer {
    let id = loan_id(&call)?;
    let written = written(&call, Some(id))?;
    let subject = Subject::written(&written, Some(id));
    change(&call, subject, |context, configuration| {
        change::replace(context, configuration, written.clone(), call.now)
    })
    .await?;
    Ok(Reply::no_content())
}

/// POST of a note. Two round trips.
async fn add_info(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    change(&call, Subject::stored(id), |context, _| {
        let (action, comment) = (body["action"].as_str(), body["actionComment"].as_str());
        change::add_info(context, action, comment)
    })
    .await?;
    Ok(Reply::no_content())
}

/// POST of a due date. Two round trips.
async fn change_due_date(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    change(&call, Subject::stored(id), |context, configuration| {
        change::change_due_date(context, configuration, body["dueDate"].as_str())
    })
    .await?;
    Ok(Reply::no_content())
}

/// POST of a claim. Two round trips.
async fn claim_returned(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    change(&call, Subject::stored(id), |context, _| {
        let (date, comment) = (&body["itemClaimedReturnedDateTime"], &body["comment"]);
        change::claim_returned(context, date.as_str(), comment.as_str())
    })
    .await?;
    Ok(Reply::no_content())
}

/// DELETE of a loan; mod-circulation does not say whether there was one.
async fn delete(call: Call) -> Answer {
    let collection = loans(&call)?;
    collections::delete_if_there(call, collection).await
}

async fn delete_all(call: Call) -> Answer {
    lending::delete_loans(&call.session).await?;
    Ok(Reply::no_content())
}

async fn change(
    call: &Call,
    subject: Subject,
    decide: impl Fn(&LoanContext, &Configuration) -> Result<LoanChange, NotChanged>,
) -> Result<Changed, Problem> {
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let changed = desk::change_loan(desk, &call.session, subject, operator, call.now, decide).await;
    changed.map_err(|failed| problem(call, failed))
}

pub(super) fn problem(call: &Call, failed: Failed<NotChanged>) -> Problem {
    match failed {
        Failed::Store(error) => error.into(),
        Failed::Refused(NotChanged::RulesFailed(text)) => rules_failed(text),
        Failed::Refused(NotChanged::Refused(LoanRefusal::NoSuchLoan)) => unknown(call),
        Failed::Refused(NotChanged::Refused(refusal)) => refused([refusal.told()]),
    }
}

fn unknown(call: &Call) -> Problem {
    let id = call.param("id");
    Problem::not_found(format!("loan record with ID \"{id}\" cannot be found"))
}

pub(super) fn loan_id(call: &Call) -> Result<Uuid, Problem> {
    call.id("id").map_err(|_| unknown(call))
}

fn loans(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection("loan")
        .ok_or_else(|| Problem::Internal("no collection loan".into()))
}

/// The loan as the client wrote it, without what only stands beside a loan. What its status says is
/// checked before its other members, as FOLIO does.
fn written(call: &Call, id: Option<Uuid>) -> Result<Loan, Problem> {
    let Value::Object(mut body) = call.json()? else {
        return Err(Problem::bad_request("Json content error: not an object"));
    };
    SHOWN_ONLY
        .iter()
        .for_each(|member| drop(body.shift_remove(*member)));
    if let Some(Value::Object(reminders)) = body.get_mut("reminders") {
        reminders.shift_remove("renewalBlocked");
    }
    let sent = body
        .get("id")
        .and_then(Value::as_str)
        .and_then(|id| Uuid::parse_str(id).ok());
    let id = id.or(sent).unwrap_or_else(store::new_id);
    body.insert("id".into(), id.to_string().into());
    if !body.contains_key("status") {
        body.insert("status".into(), json!({"name": "Open"}));
        body.entry("action").or_insert_with(|| "checkedout".into());
    }
    let status = body.get("status").cloned().unwrap_or_default();
    if !["Open", "Closed"]
        .map(Value::from)
        .contains(&status["name"])
    {
        let name = status["name"].as_str().map(str::to_owned);
        return Err(refused([LoanRefusal::UnknownStatus(name).told()]));
    }
    accepted(call, body).map(Loan::new)
}

fn accepted(call: &Call, body: Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    let collection = loans(call)?;
    let record = collection.schema.accept(Value::Object(body))?;
    let (_, mut record) = collections::prepared(call, &collection, record, None)?;
    record.shift_remove("metadata");
    Ok(record)
}

fn shown(changed: &Changed, now: Timestamp) -> Value {
    let mut item = changed.context.item.clone();
    if let (Some(item), Some(status)) = (&mut item, &changed.change.item_status) {
        item.status.name.clone_from(status);
        item.status.date = Some(stored(now).to_string());
    }
    let around = LoanSurroundings {
        item: item.as_ref().map(|item| (item, &changed.context.instance)),
        borrower: changed.context.patron.as_ref(),
        service_points: true,
        remaining_fees: None,
    };
    representation::loan(&changed.change.loan, &around, &changed.configuration)
}
