//! `/accounts/{id}/pay`, `waive`, `transfer`, `refund`, `cancel`, their `check-…`, and the same for several accounts at
//! once under `/accounts-bulk` (docs/folio/fees-fines.md#actions-upon-accounts).

use circulation::fees::{
    action::Decision,
    money,
    request::{Action, ActionRefusal, ActionRequest},
};
use desk::{self, Acted, Operator};
use http::StatusCode;
use serde_json::{Map, Value, json};
use store::record::Schema;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    folio::circulation::IntoProblem,
    route::{Answer, Routes},
};

const ACTIONS: [Action; 5] = [
    Action::Pay,
    Action::Waive,
    Action::Transfer,
    Action::Refund,
    Action::Cancel,
];

/// What an answer gives beside `accountId` or `accountIds`.
const DONE: &str = "amount, remainingAmount, feefineactions[object]";
const CHECKED: &str = "amount, allowed:bool, remainingAmount, errorMessage";

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
            routes
                .post(&format!("{base}/{name}"), move |call| {
                    act(call, action, bulk, schema.clone())
                })
                .summary(&format!("Accounts: {name}"))
                .takes(&takes)
                .gives(DONE);
            if action != Action::Cancel {
                let takes = format!("{ids}amount*");
                let schema = Schema::declare(&takes);
                routes
                    .post(&format!("{base}/check-{name}"), move |call| {
                        check(call, action, bulk, schema.clone())
                    })
                    .summary(&format!("Accounts: check whether to {name}"))
                    .takes(&takes)
                    .gives(CHECKED);
            }
        }
    }
}

fn members(action: Action, bulk: bool) -> &'static str {
    match (action, bulk) {
        (Action::Cancel, false) => {
            "comments, notifyPatron*:bool, servicePointId*, userName*, cancellationReason"
        }
        (Action::Cancel, true) => "comments*, notifyPatron*:bool, servicePointId*, userName*",
        _ => {
            "amount*, comments, transactionInfo, notifyPatron*:bool, servicePointId*, userName*, paymentMethod*"
        }
    }
}

/// What is asked about which accounts.
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

    /// The beginning of every answer.
    fn answer(&self) -> Map<String, Value> {
        let (name, value) = match self.bulk {
            true => ("accountIds", json!(self.ids)),
            false => ("accountId", json!(self.ids[0])),
        };
        Map::from_iter([(name.to_owned(), value)])
    }

    fn refused(&self, refusal: &ActionRefusal, checked: bool) -> Problem {
        let mut body = self.answer();
        match refusal {
            ActionRefusal::NoSuchAccount(_) => return Problem::not_found(refusal.to_string()),
            ActionRefusal::Refused(text) => {
                if let Some(amount) = &self.request.amount {
                    body.insert("amount".into(), amount.as_str().into());
                }
                if checked {
                    body.insert("allowed".into(), false.into());
                }
                body.insert("errorMessage".into(), (*text).into());
            }
        }
        Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, body.into())
    }
}

/// POST of a question. One round trip.
async fn check(call: Call, action: Action, bulk: bool, schema: Schema) -> Answer {
    let asked = Asked::read(&call, &schema, bulk)?;
    let amount = asked.request.amount.clone().unwrap_or_default();
    let allowed = desk::check_action(&call.session, (action, &asked.ids), &amount).await;
    let allowed =
        allowed.map_err(|failed| failed.into_problem(|refusal| asked.refused(&refusal, true)))?;
    let mut body = asked.answer();
    // FOLIO repeats the amount as it was sent when several accounts are asked about.
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

/// The body of a payment of several accounts, paid one after the other in the order they are named instead of evenly:
/// what a self-check takes pays the oldest debts first. Two round trips.
///
/// # Errors
/// Those of `/accounts-bulk/pay`.
pub async fn pay_in_order(call: Call) -> Answer {
    let schema = Schema::declare(&format!("accountIds*[], {}", members(Action::Pay, true)));
    let mut asked = Asked::read(&call, &schema, true)?;
    asked.request.in_order = true;
    carry_out(&call, Action::Pay, &asked).await
}

async fn carry_out(call: &Call, action: Action, asked: &Asked) -> Answer {
    let (accounts, operator) = ((action, asked.ids.as_slice()), Operator(call.user_id()));
    let acted =
        desk::act_upon_accounts(&call.session, accounts, &asked.request, operator, call.now).await;
    let Acted {
        decision,
        movements,
    } = acted.map_err(|failed| failed.into_problem(|refusal| asked.refused(&refusal, false)))?;
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
