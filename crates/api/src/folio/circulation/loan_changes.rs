//! Loan records that clients create and change, and small changes to a loan: `POST`, `PUT` and `DELETE` of
//! `/circulation/loans`, `…/add-info`, `…/change-due-date`, `…/claim-item-returned`
//! (docs/folio/loans.md#loan-records-of-clients).

use std::sync::Arc;

use circulation::{
    loans::change::refusal::{NO_SUCH_LOAN, STATUS_UNKNOWN},
    records::{DatedStatus, Loan, LoanAction, LoanStatus},
    refusal::NOT_AN_OBJECT,
    representation::{self, LoanSurroundings},
};
use desk::{self, Changed, Failed, Operator, collections::LOAN_MEMBERS};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    record::{Kind, Schema},
};
use uuid::Uuid;

use super::shown;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Body, Routes},
};

const PATH: &str = "/circulation/loans";

/// Members that circulation shows with a loan but does not store in it.
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
        .takes_body(Body::of(Kind::Object(Schema::declare(LOAN_MEMBERS).and("action"))))
        .gives_body(shown::loan())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.put(&one, replace).summary("Replace a loan record").takes(LOAN_MEMBERS).refuses(&[422]);
    routes.delete(&one, delete).summary("Delete a loan record");
    routes.delete(PATH, delete_all).summary("Delete every loan record");
    routes
        .post(&format!("{one}/add-info"), add_info)
        .summary("Add information for patron or staff to a loan")
        .takes("action*:(patronInfoAdded|staffInfoAdded), actionComment*")
        .refuses(&[422]);
    routes
        .post(&format!("{one}/change-due-date"), change_due_date)
        .summary("Set the due date of a loan")
        .at_the_desk()
        .takes("dueDate*:datetime")
        .refuses(&[422]);
    routes
        .post(&format!("{one}/claim-item-returned"), claim_returned)
        .summary("Declare an item claimed returned")
        .at_the_desk()
        .takes("itemClaimedReturnedDateTime*:datetime, comment")
        .refuses(&[422]);
}

/// POST of a loan. Two round trips.
async fn create(call: Call) -> Answer {
    let written = written(&call, None)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let made = desk::create_loan(desk, &call.session, &written, operator, call.now).await;
    let made = made.map_err(|failed| named(&call, failed))?;
    let location = format!("{PATH}/{}", written.id().unwrap_or_default());
    Ok(Reply::pretty(&shown(&made, call.now)).created(&location))
}

/// PUT of a loan. Two round trips.
async fn replace(call: Call) -> Answer {
    let id = loan_id(&call)?;
    let written = written(&call, Some(id))?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let replaced = desk::replace_loan(desk, &call.session, (id, &written), operator, call.now).await;
    changed(&call, replaced)
}

/// POST of a note. Two round trips.
async fn add_info(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    let info = (id, body["action"].as_str(), body["actionComment"].as_str());
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    changed(&call, desk::add_info(desk, &call.session, info, operator, call.now).await)
}

/// POST of a due date. Two round trips.
async fn change_due_date(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    let due = (id, body["dueDate"].as_str());
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    changed(&call, desk::change_due_date(desk, &call.session, due, operator, call.now).await)
}

/// POST of a claim. Two round trips.
async fn claim_returned(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    let (at, comment) = (&body["itemClaimedReturnedDateTime"], &body["comment"]);
    let claim = (id, at.as_str(), comment.as_str());
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    changed(&call, desk::claim_returned(desk, &call.session, claim, operator, call.now).await)
}

/// DELETE of a loan. mod-circulation gives the same answer whether or not it existed.
async fn delete(call: Call) -> Answer {
    let collection = loans(&call)?;
    collections::delete_if_there(call, collection).await
}

async fn delete_all(call: Call) -> Answer {
    store::circulation::delete_loans(&call.session).await?;
    Ok(Reply::no_content())
}

/// The answer to a change that returns no body.
pub(super) fn changed<T>(call: &Call, done: Result<T, Failed>) -> Answer {
    done.map_err(|failed| named(call, failed))?;
    Ok(Reply::no_content())
}

/// In refusals, writes the loan's id as the path has it.
fn named(call: &Call, failed: Failed) -> Problem {
    match failed {
        Failed::Refused(refused) => refused.with("id", call.param("id")).into(),
        failed => failed.into(),
    }
}

pub(super) fn loan_id(call: &Call) -> Result<Uuid, Problem> {
    let unknown = |_| NO_SUCH_LOAN.with("id", call.param("id"));
    Ok(call.id("id").map_err(unknown)?)
}

fn loans(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app.collection("loan").ok_or_else(|| Problem::Internal("no collection loan".into()))
}

/// The loan as the client sent it, without display-only members. Like FOLIO, checks the status before other members.
fn written(call: &Call, id: Option<Uuid>) -> Result<Loan, Problem> {
    let Value::Object(mut body) = call.json()? else {
        return Err(NOT_AN_OBJECT.into());
    };
    SHOWN_ONLY.iter().for_each(|member| drop(body.shift_remove(*member)));
    if let Some(Value::Object(reminders)) = body.get_mut("reminders") {
        reminders.shift_remove("renewalBlocked");
    }
    let mut loan = Loan::new(body);
    loan.set_id(id.or(loan.id()).unwrap_or_else(store::new_id));
    if !loan.record().contains_key("status") {
        loan.set_status(LoanStatus::Open);
        if !loan.record().contains_key("action") {
            loan.set_action(LoanAction::CheckedOut);
        }
    }
    if loan.status().is_none() {
        return Err(STATUS_UNKNOWN.with("status", loan.status_text()).into());
    }
    accepted(call, loan.into_record()).map(Loan::new)
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
    if let (Some(item), Some(status)) = (&mut item, changed.change.item_status) {
        item.status = DatedStatus::since(status, now);
    }
    let around = LoanSurroundings {
        item: item.as_ref().map(|item| (item, &changed.context.instance)),
        borrower: changed.context.patron.as_ref(),
        service_points: true,
        remaining_fees: None,
    };
    representation::loan(&changed.change.loan, &around, &changed.configuration)
}
