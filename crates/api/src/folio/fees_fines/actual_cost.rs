//! `/actual-cost-fee-fine/bill` and `/cancel` (docs/folio/lost-items.md#actual-costs): what a lost item really cost is
//! charged, or is not.

use circulation::{fees::money, lost_items::actual_cost::Said};
use desk::{self, CostDecision, Operator};
use http::StatusCode;
use serde_json::Value;
use store::record::Schema;
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    folio::circulation::IntoProblem,
    route::{Answer, Routes},
};

const BILL: &str = "actualCostRecordId*:uuid, amount*:number, servicePointId:uuid, additionalInfoForStaff, \
                    additionalInfoForPatron";
const CANCEL: &str = "actualCostRecordId*:uuid, additionalInfoForStaff, additionalInfoForPatron";

pub(super) fn routes(routes: &mut Routes) {
    for (path, takes, is_bill) in [
        ("/actual-cost-fee-fine/bill", BILL, true),
        ("/actual-cost-fee-fine/cancel", CANCEL, false),
    ] {
        let schema = Schema::declare(takes);
        routes
            .post(path, move |call| decide(call, is_bill, schema.clone()))
            .summary("Decide what a lost item really costs")
            .takes(takes);
    }
}

/// POST of a decision. Two round trips.
async fn decide(call: Call, is_bill: bool, schema: Schema) -> Answer {
    let body = schema.accept(call.json()?)?;
    let text = |member: &str| body.get(member).and_then(Value::as_str);
    let id = |member: &str| text(member).and_then(|id| Uuid::parse_str(id).ok());
    let said = Said {
        for_staff: text("additionalInfoForStaff").map(str::to_owned),
        for_patron: text("additionalInfoForPatron").map(str::to_owned),
    };
    let amount = money::read(body.get("amount"));
    if amount.is_sign_negative() {
        return Err(Problem::unprocessable(&[ErrorItem {
            code: Some("jakarta.validation.constraints.DecimalMin.message".into()),
            ..ErrorItem::rmb(
                "must be greater than or equal to 0",
                "amount",
                &body["amount"].to_string(),
            )
        }]));
    }
    let decision = match is_bill {
        true => CostDecision::Bill(amount, id("servicePointId")),
        false => CostDecision::Cancel,
    };
    let record = id("actualCostRecordId").unwrap_or_default();
    let (session, operator) = (&call.session, Operator(call.user_id()));
    let decided = desk::decide_actual_cost(session, record, decision, &said, operator, call.now);
    let decided = decided.await;
    let decided = decided.map_err(|failed| failed.into_problem(|text| refused(&text)))?;
    Ok(Reply::json(&decided.into()).with_status(StatusCode::CREATED))
}

fn refused(text: &str) -> Problem {
    Problem::Text(StatusCode::UNPROCESSABLE_ENTITY, text.into())
}
