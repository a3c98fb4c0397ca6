//! `/actual-cost-fee-fine/bill` and `/cancel` (docs/folio/lost-items.md#actual-costs): bills the actual cost of a lost
//! item, or cancels it.

use circulation::{fees::money, lost_items::actual_cost::Said};
use desk::{self, CostDecision, Operator};
use http::StatusCode;
use serde_json::Value;
use store::{collection::Collection, record::Schema};
use uuid::Uuid;

use super::refusals::AMOUNT_NEGATIVE;
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Form, Routes},
};

const BILL: &str = "actualCostRecordId*:uuid, amount*:number, servicePointId:uuid, additionalInfoForStaff, \
                    additionalInfoForPatron";
const CANCEL: &str = "actualCostRecordId*:uuid, additionalInfoForStaff, additionalInfoForPatron";

pub(super) fn routes(routes: &mut Routes, records: &Collection) {
    for (path, takes, is_bill) in
        [("/actual-cost-fee-fine/bill", BILL, true), ("/actual-cost-fee-fine/cancel", CANCEL, false)]
    {
        let schema = Schema::declare(takes);
        routes
            .post(path, move |call| decide(call, is_bill, schema.clone()))
            .summary("Bill or cancel the actual cost of a lost item")
            .takes(takes)
            .gives_record(records)
            .with_status(StatusCode::CREATED)
            .refuses(&[422])
            .refuses_as(422, Form::Text);
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
        return Err(AMOUNT_NEGATIVE.with("amount", body["amount"].to_string()).into());
    }
    let decision = match is_bill {
        true => CostDecision::Bill(amount, id("servicePointId")),
        false => CostDecision::Cancel,
    };
    let record = id("actualCostRecordId").unwrap_or_default();
    let (session, operator) = (&call.session, Operator(call.user_id()));
    let decided = desk::decide_actual_cost(session, record, decision, &said, operator, call.now);
    let decided = decided.await?;
    Ok(Reply::json(&decided.into()).with_status(StatusCode::CREATED))
}
