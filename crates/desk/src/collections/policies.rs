//! Policies and the schedules they refer to (docs/folio/policies.md).

use std::collections::HashSet;

use serde_json::{Map, Value};
use store::{
    collection::{Collection, Fault, IndexKind, Unique},
    record::read_instant,
};

use super::PERIOD;

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

fn fixed_due_date_schedules() -> Collection {
    Collection::new(
        "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
        "fixedDueDateSchedules",
        "fixed_due_date_schedule",
        "name*, description, schedules[{from*:datetime, to*:datetime, due*:datetime}]",
    )
    .unique(&["name"])
    .checked(check_schedules)
    .upserting()
    .configuration()
}

/// Each range begins before it ends, and nothing is due before the range ends.
fn check_schedules(record: &mut Map<String, Value>) -> Result<(), Fault> {
    let schedules = record
        .get("schedules")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    for schedule in &schedules {
        let instant = |name: &str| schedule.get(name)?.as_str().and_then(read_instant);
        let (Some(from), Some(to), Some(due)) = (instant("from"), instant("to"), instant("due"))
        else {
            continue;
        };
        let wrong = if from > due {
            "from date after due date"
        } else if from > to {
            "from date after to date"
        } else if to > due {
            "to date after due date"
        } else {
            continue;
        };
        let message = format!("Unable to save fixed loan date. Date range not valid {wrong}");
        return Err(Fault::of(message, "schedules", Some(&schedule.to_string())));
    }
    Ok(())
}

fn loan_policies() -> Collection {
    let holds = format!(
        "{{alternateCheckoutLoanPeriod{PERIOD}, renewItemsWithRequest:bool, alternateRenewalLoanPeriod{PERIOD}}}"
    );
    Collection::new(
        "/loan-policy-storage/loan-policies",
        "loanPolicies",
        "loan_policy",
        &format!(
            "name*, description, loanable*:bool=true, renewable*:bool=true,
             loansPolicy{{profileId, period{PERIOD},
               closedLibraryDueDateManagementId, gracePeriod{PERIOD}, openingTimeOffset{PERIOD},
               fixedDueDateScheduleId:uuid, itemLimit:int, forUseAtLocation:bool,
               holdShelfExpiryPeriodForUseAtLocation{PERIOD}}},
             renewalsPolicy{{unlimited:bool, numberAllowed:number, renewFromId,
               differentPeriod:bool, period{PERIOD}, alternateFixedDueDateScheduleId:uuid, ...}},
             requestManagement{{recalls{{alternateGracePeriod{PERIOD}, minimumGuaranteedLoanPeriod{PERIOD},
               recallReturnInterval{PERIOD}, allowRecallsToExtendOverdueLoans:bool=false,
               alternateRecallReturnInterval{PERIOD}}}, holds{holds}, pages{holds}}}"
        ),
    )
    .folded(&["name"])
    .reference("loansPolicy.fixedDueDateScheduleId", "fixed_due_date_schedule")
    .reference("renewalsPolicy.alternateFixedDueDateScheduleId", "fixed_due_date_schedule")
    .checked(check_loan_policy)
    .upserting()
    .configuration()
}

fn check_loan_policy(record: &mut Map<String, Value>) -> Result<(), Fault> {
    refuse_negative_periods(record, "")?;
    let policy = Value::Object(record.clone());
    refuse_odd_limit(&policy)?;
    check_alternate_schedule(&policy)?;
    check_fixed_schedule(&policy)?;
    refuse_periods_of_fixed(&policy)
}

fn flag(policy: &Value, pointer: &str) -> bool {
    policy.pointer(pointer) == Some(&Value::Bool(true))
}

fn text<'p>(policy: &'p Value, pointer: &str) -> Option<&'p str> {
    policy.pointer(pointer).and_then(Value::as_str)
}

fn is_fixed(policy: &Value) -> bool {
    text(policy, "/loansPolicy/profileId").is_some_and(|name| name.eq_ignore_ascii_case("fixed"))
}

fn refuse_odd_limit(policy: &Value) -> Result<(), Fault> {
    let limit = policy.pointer("/loansPolicy/itemLimit");
    let message = match limit.and_then(Value::as_i64) {
        Some(..=0) => "must be greater than or equal to 1",
        Some(10_000..) => "must be less than or equal to 9999",
        _ => return Ok(()),
    };
    let shown = limit.map(Value::to_string);
    Err(Fault::of(
        message,
        "loansPolicy.itemLimit",
        shown.as_deref(),
    ))
}

/// Periods are for rolling policies. A fixed one may keep those that it does not use (FOLIO takes them, and refuses renewals
/// by them while a hold waits).
fn refuse_periods_of_fixed(policy: &Value) -> Result<(), Fault> {
    if !is_fixed(policy) || !flag(policy, "/renewable") {
        return Ok(());
    }
    let holds = "/requestManagement/holds";
    for (used, period, key, message) in [
        (
            format!("{holds}/renewItemsWithRequest"),
            format!("{holds}/alternateRenewalLoanPeriod"),
            "alternateRenewalLoanPeriod",
            "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile",
        ),
        (
            "/renewalsPolicy/differentPeriod".to_owned(),
            "/renewalsPolicy/period".to_owned(),
            "period",
            "Period in RenewalsPolicy is not allowed for policies with Fixed profile",
        ),
    ] {
        if flag(policy, &used) && policy.pointer(&period).is_some() {
            return Err(Fault::of(message, key, None));
        }
    }
    Ok(())
}

/// A period lasts no time at least (docs/folio/policies.md), wherever it is in a record.
fn refuse_negative_periods(record: &Map<String, Value>, path: &str) -> Result<(), Fault> {
    for (name, value) in record {
        let path = format!("{path}{name}");
        match value {
            Value::Object(members) => refuse_negative_periods(members, &format!("{path}."))?,
            Value::Number(number) if name == "duration" && number.as_f64() < Some(0.0) => {
                let shown = number.to_string();
                return Err(Fault::of(
                    "must be greater than or equal to 0",
                    &path,
                    Some(&shown),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Fixed needs a schedule; so does, oddly, a policy that is not loanable but has a loansPolicy.
fn check_fixed_schedule(policy: &Value) -> Result<(), Fault> {
    let loanable = flag(policy, "/loanable");
    let has_policy = policy.get("loansPolicy").is_some();
    let schedule = policy.pointer("/loansPolicy/fixedDueDateScheduleId");
    if has_policy && schedule.is_none() && (is_fixed(policy) || !loanable) {
        let message = format!(
            "Fixed due date cannot be null if loanable is {loanable} and profile is of type fixed"
        );
        return Err(Fault::of(message, "fixedDueDateScheduleId", Some("null")));
    }
    Ok(())
}

/// Renewals for a different period need a schedule of their own where the policy is fixed; no others may have one.
fn check_alternate_schedule(policy: &Value) -> Result<(), Fault> {
    let renewals = |member: &str| policy.pointer(&format!("/renewalsPolicy/{member}"));
    let different = renewals("differentPeriod");
    let schedule = renewals("alternateFixedDueDateScheduleId").and_then(Value::as_str);
    let renewable = flag(policy, "/renewable");
    let apart = renewable && different == Some(&Value::Bool(true));
    let needed = apart && is_fixed(policy);
    if (schedule.is_some() && !apart) || (needed && schedule.is_none()) {
        let shown = schedule.unwrap_or("null");
        let different = different.unwrap_or(&Value::Null);
        let profile = text(policy, "/loansPolicy/profileId").unwrap_or("null");
        let message = format!(
            "Alternate fixed due date cannot be {shown} if renewable is {renewable}, different period is \
             {different} and profile is {profile}"
        );
        return Err(Fault::of(
            message,
            "alternateFixedDueDateScheduleId",
            Some(shown),
        ));
    }
    Ok(())
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
    .coded_constraint(
        "request_policy_pickup_locations",
        "One or more Pickup locations are no longer available",
        "INVALID_ALLOWED_SERVICE_POINT",
    )
    .upserting()
    .without(&["post", "put"])
    .configuration()
}

/// A request type without listed service points allows all of them, so it has no list; in a list each is named once.
fn tidy_service_points(record: &mut Map<String, Value>) -> Result<(), Fault> {
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

fn patron_notice_policies() -> Collection {
    let notices = format!(
        "[{{name, templateId*:uuid, templateName, format*:(Email|SMS|Print), frequency:(One time|Recurring),
           realTime*:bool, sendOptions{{sendHow:(Upon At|Before|After), sendWhen*, sendBy{PERIOD}, sendEvery{PERIOD}}}}}]"
    );
    Collection::new(
        "/patron-notice-policy-storage/patron-notice-policies",
        "patronNoticePolicies",
        "patron_notice_policy",
        &format!(
            "name*, description, active:bool=false,
             loanNotices{notices}, requestNotices{notices}, feeFineNotices{notices}"
        ),
    )
    .unique_as(policy_name(
        "'{value}' name in not unique",
        "duplicate.name",
    ))
    .without(&["put", "delete"])
    .configuration()
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
    .unique_as(policy_name(
        "The Overdue fine policy name entered already exists. Please enter a different name.",
        "feesfines.policy.overdue.duplicate",
    ))
    .checked(check_overdue_fine)
    .configuration()
}

fn policy_name(message: &'static str, code: &'static str) -> Unique {
    let (kind, message) = (IndexKind::Folded, Some(message));
    Unique {
        fields: &["name"],
        kind,
        message,
        key: None,
        code: Some(code),
    }
}

fn check_overdue_fine(record: &mut Map<String, Value>) -> Result<(), Fault> {
    for name in ["overdueFine", "overdueRecallFine"] {
        let quantity = record.get(name).and_then(|rate| rate.get("quantity"));
        if quantity
            .and_then(Value::as_f64)
            .is_some_and(|quantity| quantity < 0.0)
        {
            let shown = quantity.map(printed_amount);
            let key = format!("{name}.quantity");
            return Err(Fault::of(
                "Quantity must not be negative.",
                &key,
                shown.as_deref(),
            ));
        }
    }
    Ok(())
}

/// An amount of money as FOLIO's errors show it: with two digits after the point.
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
    .unique_as(policy_name(
        "The Lost item fee policy name entered already exists. Please enter a different name.",
        "feesfines.policy.lost.duplicate",
    ))
    .checked(check_lost_item_fee)
    .configuration()
}

fn check_lost_item_fee(record: &mut Map<String, Value>) -> Result<(), Fault> {
    refuse_negative_periods(record, "")?;
    let policy = Value::Object(record.clone());
    let pointers = [
        "/lostItemProcessingFee",
        "/replacementProcessingFee",
        "/chargeAmountItem/amount",
    ];
    for pointer in pointers {
        let amount = policy.pointer(pointer);
        if amount
            .and_then(Value::as_f64)
            .is_some_and(|amount| amount < 0.0)
        {
            let key = pointer.trim_start_matches('/').replace('/', ".");
            let shown = amount.map(printed_amount);
            let message = "The value must greater than or equal to 0";
            return Err(Fault::of(message, &key, shown.as_deref()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(policy: Value) -> Option<String> {
        let mut record = loan_policies()
            .schema
            .accept(policy)
            .expect("a readable policy");
        check_loan_policy(&mut record)
            .err()
            .map(|fault| fault.message)
    }

    #[test]
    fn loan_policies_are_checked_as_the_contract_says() {
        let id = "43198de5-f56a-4a53-a0bd-5a324418967a";
        let rolling = json!({"profileId": "Rolling"});
        let cases = [
            (
                json!({"name": "a", "loanable": true, "renewable": false, "loansPolicy": rolling}),
                None,
            ),
            (
                json!({"name": "a", "loanable": false, "renewable": false}),
                None,
            ),
            (
                json!({"name": "a", "loanable": true, "renewable": false, "loansPolicy": {"profileId": "Fixed"}}),
                Some(
                    "Fixed due date cannot be null if loanable is true and profile is of type fixed",
                ),
            ),
            (
                json!({"name": "a", "loanable": false, "renewable": false, "loansPolicy": rolling}),
                Some(
                    "Fixed due date cannot be null if loanable is false and profile is of type fixed",
                ),
            ),
            (
                json!({"name": "a", "loanable": true, "renewable": false,
                    "renewalsPolicy": {"alternateFixedDueDateScheduleId": id}}),
                Some(
                    "Alternate fixed due date cannot be 43198de5-f56a-4a53-a0bd-5a324418967a if renewable is false, \
                     different period is null and profile is null",
                ),
            ),
            (
                json!({"name": "a", "loanable": true, "renewable": true, "loansPolicy": {"profileId": "Fixed"},
                    "renewalsPolicy": {"differentPeriod": true}}),
                Some(
                    "Alternate fixed due date cannot be null if renewable is true, different period is true and \
                     profile is Fixed",
                ),
            ),
            (
                json!({"name": "a", "loanable": true, "renewable": true,
                    "loansPolicy": {"profileId": "Rolling", "itemLimit": 10000}}),
                Some("must be less than or equal to 9999"),
            ),
        ];
        for (policy, expected) in cases {
            assert_eq!(refusal(policy.clone()).as_deref(), expected, "{policy}");
        }
    }

    #[test]
    fn a_fixed_policy_has_no_periods_that_it_uses() {
        let id = "43198de5-f56a-4a53-a0bd-5a324418967a";
        let period = json!({"duration": 1, "intervalId": "Days"});
        let holds = "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile";
        let renewals = "Period in RenewalsPolicy is not allowed for policies with Fixed profile";
        for (renewable, different, hold, expected) in [
            (true, false, true, Some(holds)),
            (true, true, true, Some(holds)),
            (true, true, false, Some(renewals)),
            (true, false, false, None),
            (false, true, true, None),
        ] {
            let mut policy = json!({"name": "a", "loanable": true, "renewable": renewable,
                "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": id},
                "renewalsPolicy": {"differentPeriod": different, "period": period},
                "requestManagement": {"holds": {"renewItemsWithRequest": hold, "alternateRenewalLoanPeriod": period}}});
            if renewable && different {
                policy["renewalsPolicy"]["alternateFixedDueDateScheduleId"] = id.into();
            }
            assert_eq!(refusal(policy.clone()).as_deref(), expected, "{policy}");
            policy["loansPolicy"]["profileId"] = "Rolling".into();
            assert_eq!(refusal(policy.clone()), None, "{policy}");
        }
    }

    #[test]
    fn a_schedule_ends_after_it_begins_and_is_due_after_it_ends() {
        let check = |from: &str, to: &str, due: &str| {
            let schedule =
                json!({"name": "s", "schedules": [{"from": from, "to": to, "due": due}]});
            let mut record = fixed_due_date_schedules()
                .schema
                .accept(schedule)
                .expect("readable");
            check_schedules(&mut record)
                .err()
                .map(|fault| fault.message)
        };
        let wrong = |text: &str| {
            Some(format!(
                "Unable to save fixed loan date. Date range not valid {text}"
            ))
        };
        assert_eq!(check("2026-01-01", "2026-02-01", "2026-03-01"), None);
        assert_eq!(
            check("2026-04-01", "2026-05-01", "2026-03-01"),
            wrong("from date after due date")
        );
        assert_eq!(
            check("2026-02-01", "2026-01-01", "2026-03-01"),
            wrong("from date after to date")
        );
        assert_eq!(
            check("2026-01-01", "2026-04-01", "2026-03-01"),
            wrong("to date after due date")
        );
    }
}
