//! Policies and the schedules they refer to (docs/folio/policies.md).

use std::collections::HashSet;

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind};

use super::{
    loan_policies::{fixed_due_date_schedules, loan_policies, refuse_negative_periods},
    refusal::{
        AMOUNT_NEGATIVE, INTERVAL_TOO_LONG, INTERVAL_TOO_SHORT, LOST_ITEM_FEE_POLICY_NAME_TAKEN,
        NOTICE_POLICY_NAME_TAKEN, OVERDUE_FINE_POLICY_NAME_TAKEN, PICKUP_LOCATION_GONE, QUANTITY_NEGATIVE,
    },
};

pub(super) fn collections() -> Vec<Collection> {
    vec![
        fixed_due_date_schedules(),
        loan_policies(),
        request_policies(),
        patron_notice_policies(),
        overdue_fine_policies().with_versioned_ids(),
        lost_item_fee_policies().with_versioned_ids(),
    ]
}

fn request_policies() -> Collection {
    Collection::new(
        "/request-policy-storage/request-policies",
        "requestPolicies",
        "request_policy",
        "name*, description, requestTypes[(Hold|Recall|Page)],
         allowedServicePoints{Page[uuid], Hold[uuid], Recall[uuid]}",
    )
    .unique(&["name"])
    .checked(tidy_service_points)
    .constraint("request_policy_pickup_locations", PICKUP_LOCATION_GONE)
    .upserting()
    .without(&["post", "put"])
    .configuration()
}

/// Removes empty service point lists, because a type without a list allows all service points, and duplicates within a
/// list.
fn tidy_service_points(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let Some(Value::Object(allowed)) = record.get_mut("allowedServicePoints") else {
        return Ok(());
    };
    for ids in allowed.values_mut().filter_map(Value::as_array_mut) {
        let mut known = HashSet::new();
        ids.retain(|id| known.insert(id.clone()));
    }
    allowed.retain(|_, ids| ids.as_array().is_none_or(|ids| !ids.is_empty()));
    Ok(())
}

/// How long before or after its event a notice is sent, and how often.
const INTERVAL: &str = "{duration*:int, intervalId*:(Minutes|Hours|Days|Weeks|Months|Years)}";

fn patron_notice_policies() -> Collection {
    let notices = |hows: &str, events: &str| {
        format!(
            "[{{name, templateId*:uuid, templateName, format*:(Email|SMS|Print), frequency:(One time|Recurring),
               realTime*:bool, sendOptions{{sendHow:({hows}), sendWhen*:({events}), sendBy{INTERVAL}, sendEvery{INTERVAL}}}}}]"
        )
    };
    let of_loans = notices(
        "Upon At|Before|After",
        "Due date|Renewed|Check in|Check out|Manual due date change|Item recalled|Hold request for item|Aged to lost",
    );
    let of_requests = notices(
        "Upon At|Before|After",
        "Recall request|Hold request|Request expiration|Paging request|Available|Hold expiration|Request cancellation",
    );
    let of_fees = notices(
        "Upon At|After",
        "Overdue fine returned|Overdue fine renewed|Aged to lost - fine charged|
         Aged to lost & item returned - fine adjusted|Aged to lost & item replaced - fine adjusted",
    );
    Collection::new(
        "/patron-notice-policy-storage/patron-notice-policies",
        "patronNoticePolicies",
        "patron_notice_policy",
        &format!(
            "name*, description, active:bool=false,
             loanNotices{of_loans}, requestNotices{of_requests}, feeFineNotices{of_fees}"
        ),
    )
    .checked(check_intervals)
    .unique_as(&["name"], IndexKind::Folded, NOTICE_POLICY_NAME_TAKEN)
    .without(&["put", "delete"])
    .configuration()
}

/// mod-circulation-storage's schema of an interval: 1 to 100.
fn check_intervals(record: &mut Map<String, Value>) -> Result<(), Refused> {
    for list in ["loanNotices", "requestNotices", "feeFineNotices"] {
        let notices = record.get(list).and_then(Value::as_array).into_iter().flatten();
        for (place, notice) in notices.enumerate() {
            for name in ["sendBy", "sendEvery"] {
                let duration = notice.pointer(&format!("/sendOptions/{name}/duration"));
                let refusal = match duration.and_then(Value::as_i64) {
                    Some(..1) => INTERVAL_TOO_SHORT,
                    Some(101..) => INTERVAL_TOO_LONG,
                    _ => continue,
                };
                let member = format!("{list}[{place}].sendOptions.{name}.duration");
                return Err(refusal.about(member, duration.map(Value::to_string)).into());
            }
        }
    }
    Ok(())
}

fn overdue_fine_policies() -> Collection {
    let rate = "{quantity:number, intervalId:(minute|hour|day|week|month|year)}";
    Collection::new(
        "/overdue-fines-policies",
        "overdueFinePolicies",
        "overdue_fine_policy",
        &format!(
            "name*, description, overdueFine{rate}, countClosed:bool, maxOverdueFine:number,
             forgiveOverdueFine:bool, overdueRecallFine{rate}, gracePeriodRecall:bool, maxOverdueRecallFine:number,
             reminderFeesPolicy{{countClosed:bool, ignoreGracePeriodRecall:bool, ignoreGracePeriodHolds:bool,
               allowRenewalOfItemsWithReminderFees:bool, clearPatronBlockWhenPaid:bool,
               reminderSchedule[{{interval*:number, timeUnitId*:(minute|hour|day|week|month|year),
                 reminderFee*:number, noticeFormat, noticeTemplateId*:uuid, blockTemplateId:uuid}}]}}"
        ),
    )
    .unique_as(&["name"], IndexKind::Folded, OVERDUE_FINE_POLICY_NAME_TAKEN)
    .checked(check_overdue_fine)
    .configuration()
}

fn check_overdue_fine(record: &mut Map<String, Value>) -> Result<(), Refused> {
    for name in ["overdueFine", "overdueRecallFine"] {
        let quantity = record.get(name).and_then(|rate| rate.get("quantity"));
        if quantity.and_then(Value::as_f64).is_some_and(|quantity| quantity < 0.0) {
            let shown = quantity.map(printed_amount);
            let member = format!("{name}.quantity");
            return Err(QUANTITY_NEGATIVE.about(member, shown).into());
        }
    }
    Ok(())
}

/// An amount in the format of FOLIO's errors, with two decimal places.
fn printed_amount(amount: &Value) -> String {
    format!("{:.2}", amount.as_f64().unwrap_or_default())
}

fn lost_item_fee_policies() -> Collection {
    let period = "{duration:int, intervalId:(Minutes|Hours|Days|Weeks|Months|Years)}";
    Collection::new(
        "/lost-item-fees-policies",
        "lostItemFeePolicies",
        "lost_item_fee_policy",
        &format!(
            "name*, description, itemAgedLostOverdue{period}, patronBilledAfterAgedLost{period},
             recalledItemAgedLostOverdue{period}, patronBilledAfterRecalledItemAgedLost{period},
             chargeAmountItem{{chargeType, amount:number}},
             lostItemProcessingFee:number, chargeAmountItemPatron:bool, chargeAmountItemSystem:bool,
             lostItemChargeFeeFine{period}, returnedLostItemProcessingFee:bool,
             replacedLostItemProcessingFee:bool, replacementProcessingFee:number, replacementAllowed:bool,
             lostItemReturned, feesFinesShallRefunded{period}"
        ),
    )
    .unique_as(&["name"], IndexKind::Folded, LOST_ITEM_FEE_POLICY_NAME_TAKEN)
    .checked(check_lost_item_fee)
    .configuration()
}

fn check_lost_item_fee(record: &mut Map<String, Value>) -> Result<(), Refused> {
    refuse_negative_periods(record, "")?;
    let policy = Value::Object(record.clone());
    let pointers = ["/lostItemProcessingFee", "/replacementProcessingFee", "/chargeAmountItem/amount"];
    for pointer in pointers {
        let amount = policy.pointer(pointer);
        if amount.and_then(Value::as_f64).is_some_and(|amount| amount < 0.0) {
            let key = pointer.trim_start_matches('/').replace('/', ".");
            let shown = amount.map(printed_amount);
            return Err(AMOUNT_NEGATIVE.about(key, shown).into());
        }
    }
    Ok(())
}
