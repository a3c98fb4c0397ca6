//! `/accounts/{id}/pay`, `waive`, `transfer`, `refund`, `cancel`, their `check-…` routes, and the same for several
//! accounts under `/accounts-bulk` (docs/folio/fees-fines.md#actions-upon-accounts).

use circulation::fees::{
    action::Decision,
    money,
    request::{Action, ActionRequest},
};
use desk::{self, Acted, Failed, Operator};
use http::StatusCode;
use refusals::{Refusal, Refused};
use serde_json::{Map, Value, json};
use store::record::Schema;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

const ACTIONS: [Action; 5] = [Action::Pay, Action::Waive, Action::Transfer, Action::Refund, Action::Cancel];

/// Members of a response in addition to `accountId` or `accountIds`.
const DONE: &str = "amount, remainingAmount, feefineactions[Feefineaction]";
const CHECKED: &str = "amount*, allowed*:bool, remainingAmount*";

pub(super) fn routes(routes: &mut Routes) {
    for action in ACTIONS {
        for bulk in [false, true] {
            let (base, ids) = match bulk {
                false => ("/accounts/{id}", ""),
                true => ("/accounts-bulk", "accountIds*[], "),
            };
            let name = action.path();
            let takes = format!("{ids}{}", members(action, bulk));
            let schema = Schema::declare(&takes);
            let answer = |more: &str| match bulk {
                false => format!("accountId*, {more}"),
                true => format!("accountIds*[], {more}"),
            };
            routes
                .post(&format!("{base}/{name}"), move |call| act(call, action, bulk, schema.clone()))
                .summary(&format!("Accounts: {name}"))
                .takes(&takes)
                .gives(&answer(DONE))
                .with_status(StatusCode::CREATED)
                .refuses(&[422])
                .refuses_as(422, Form::Action);
            if action != Action::Cancel {
                let takes = format!("{ids}amount*");
                let schema = Schema::declare(&takes);
                routes
                    .post(&format!("{base}/check-{name}"), move |call| check(call, action, bulk, schema.clone()))
                    .summary(&format!("Accounts: check whether to {name}"))
                    .takes(&takes)
                    .gives(&answer(CHECKED))
                    .refuses(&[422])
                    .refuses_as(422, Form::Action);
            }
        }
    }
}

fn members(action: Action, bulk: bool) -> &'static str {
    match (action, bulk) {
        (Action::Cancel, false) => "comments, notifyPatron*:bool, servicePointId*, userName*, cancellationReason",
        (Action::Cancel, true) => "comments*, notifyPatron*:bool, servicePointId*, userName*",
        _ => "amount*, comments, transactionInfo, notifyPatron*:bool, servicePointId*, userName*, paymentMethod*",
    }
}

/// An action and the accounts it applies to.
struct Asked {
    ids: Vec<String>,
    request: ActionRequest,
    bulk: bool,
}

impl Asked {
    fn read(call: &Call, schema: &Schema, bulk: bool) -> Result<Self, Problem> {
        let body = schema.accept(call.json()?)?;
        let mut ids: Vec<String> = Vec::new();
        let listed = body.get("accountIds").and_then(Value::as_array);
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        for id in listed.chain((!bulk).then(|| call.param("id"))) {
            if !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        }
        let request = ActionRequest::read(&body);
        Ok(Self { ids, request, bulk })
    }

    /// The members that start every response.
    fn answer(&self) -> Map<String, Value> {
        let (name, value) = match self.bulk {
            true => ("accountIds", json!(self.ids)),
            false => ("accountId", json!(self.ids[0])),
        };
        Map::from_iter([(name.to_owned(), value)])
    }

    /// Refusals of an action have their own body.
    fn problem(&self, failed: Failed, checked: bool) -> Problem {
        let first = match &failed {
            Failed::Refused(Refused(refusals)) => refusals.first(),
            _ => None,
        };
        let unprocessable = |refusal: &&Refusal| refusal.wording().status == 422;
        let Some(refusal) = first.filter(unprocessable) else {
            return failed.into();
        };
        let mut body = self.answer();
        if let Some(amount) = &self.request.amount {
            body.insert("amount".into(), amount.as_str().into());
        }
        if checked {
            body.insert("allowed".into(), false.into());
        }
        body.insert("errorMessage".into(), refusal.message().into());
        Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, body.into())
    }
}

/// POST of a check. One round trip.
async fn check(call: Call, action: Action, bulk: bool, schema: Schema) -> Answer {
    let asked = Asked::read(&call, &schema, bulk)?;
    let amount = asked.request.amount.clone().unwrap_or_default();
    let allowed = desk::check_action(&call.session, (action, &asked.ids), &amount).await;
    let allowed = allowed.map_err(|failed| asked.problem(failed, true))?;
    let mut body = asked.answer();
    // For several accounts FOLIO repeats the amount as the client sent it.
    let shown = match bulk {
        true => amount,
        false => money::printed(allowed.amount),
    };
    body.insert("amount".into(), shown.into());
    body.insert("allowed".into(), true.into());
    let remaining = money::printed(allowed.remaining);
    body.insert("remainingAmount".into(), remaining.into());
    Ok(Reply::json(&body.into()))
}

/// POST of an action. Two round trips.
async fn act(call: Call, action: Action, bulk: bool, schema: Schema) -> Answer {
    let asked = Asked::read(&call, &schema, bulk)?;
    carry_out(&call, action, &asked).await
}

/// Pays several accounts one after the other, in the order given, instead of spreading the amount evenly. Self-checks
/// use it to pay the oldest debts first. Refuses as `/accounts-bulk/pay` does. Two round trips.
pub async fn pay_in_order(call: Call) -> Answer {
    let schema = Schema::declare(&format!("accountIds*[], {}", members(Action::Pay, true)));
    let mut asked = Asked::read(&call, &schema, true)?;
    asked.request.in_order = true;
    carry_out(&call, Action::Pay, &asked).await
}

async fn carry_out(call: &Call, action: Action, asked: &Asked) -> Answer {
    let (accounts, operator) = ((action, asked.ids.as_slice()), Operator(call.user_id()));
    let acted = desk::act_upon_accounts(&call.session, accounts, &asked.request, operator, call.now).await;
    let Acted { decision, movements } = acted.map_err(|failed| asked.problem(failed, false))?;
    Ok(done(asked, &decision, movements))
}

fn done(asked: &Asked, decision: &Decision, movements: Value) -> Reply {
    let mut body = asked.answer();
    if let Some(amount) = decision.amount {
        body.insert("amount".into(), money::printed(amount).into());
    }
    if let (false, Some(account)) = (asked.bulk, decision.accounts.first()) {
        let remaining = money::printed(account.remaining());
        body.insert("remainingAmount".into(), remaining.into());
    }
    body.insert("feefineactions".into(), movements);
    Reply::json(&body.into()).with_status(StatusCode::CREATED)
}
