//! Loan policies and their fixed due date schedules (docs/folio/policies.md).

use refusals::{Refusal, Refused};
use serde_json::{Map, Value};
use store::{collection::Collection, record::read_instant};

use super::{
    PERIOD,
    refusal::{
        ALTERNATE_SCHEDULE_NOT_VALID, HOLDS_PERIOD_OF_FIXED, LIMIT_TOO_GREAT, LIMIT_TOO_SMALL, NEGATIVE,
        NO_FIXED_SCHEDULE, RENEWAL_PERIOD_OF_FIXED, SCHEDULE_NOT_VALID,
    },
};

pub(super) fn fixed_due_date_schedules() -> Collection {
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

/// Each range must start no later than it ends, and be due no earlier than it ends.
fn check_schedules(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let schedules = record.get("schedules").and_then(Value::as_array).cloned().unwrap_or_default();
    for schedule in &schedules {
        let instant = |name: &str| schedule.get(name)?.as_str().and_then(read_instant);
        let (Some(from), Some(to), Some(due)) = (instant("from"), instant("to"), instant("due")) else {
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
        let refusal = SCHEDULE_NOT_VALID.with("why", wrong);
        return Err(refusal.with("schedules", schedule.to_string()).into());
    }
    Ok(())
}

pub(super) fn loan_policies() -> Collection {
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

fn check_loan_policy(record: &mut Map<String, Value>) -> Result<(), Refused> {
    refuse_negative_periods(record, "")?;
    let policy = Value::Object(record.clone());
    refuse_odd_limit(&policy)?;
    check_alternate_schedule(&policy)?;
    check_fixed_schedule(&policy)?;
    Ok(refuse_periods_of_fixed(&policy)?)
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

fn refuse_odd_limit(policy: &Value) -> Result<(), Refusal> {
    let limit = policy.pointer("/loansPolicy/itemLimit");
    let wording = match limit.and_then(Value::as_i64) {
        Some(..=0) => LIMIT_TOO_SMALL,
        Some(10_000..) => LIMIT_TOO_GREAT,
        _ => return Ok(()),
    };
    Err(wording.with("loansPolicy.itemLimit", limit.map(Value::to_string)))
}

/// Only rolling policies may use periods. Fixed ones may keep unused periods: FOLIO accepts those, but refuses renewals
/// by them while a hold is pending.
fn refuse_periods_of_fixed(policy: &Value) -> Result<(), Refusal> {
    if !is_fixed(policy) || !flag(policy, "/renewable") {
        return Ok(());
    }
    let holds = "/requestManagement/holds";
    for (used, period, wording) in [
        (
            format!("{holds}/renewItemsWithRequest"),
            format!("{holds}/alternateRenewalLoanPeriod"),
            HOLDS_PERIOD_OF_FIXED,
        ),
        ("/renewalsPolicy/differentPeriod".to_owned(), "/renewalsPolicy/period".to_owned(), RENEWAL_PERIOD_OF_FIXED),
    ] {
        if flag(policy, &used) && policy.pointer(&period).is_some() {
            return Err(wording.into());
        }
    }
    Ok(())
}

/// Refuses negative periods anywhere in a record (docs/folio/policies.md).
pub(super) fn refuse_negative_periods(record: &Map<String, Value>, path: &str) -> Result<(), Refusal> {
    for (name, value) in record {
        let path = format!("{path}{name}");
        match value {
            Value::Object(members) => refuse_negative_periods(members, &format!("{path}."))?,
            Value::Number(number) if name == "duration" && number.as_f64() < Some(0.0) => {
                return Err(NEGATIVE.about(path, number.to_string()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A fixed policy needs a schedule; as in FOLIO, so does a policy that is not loanable but has a loansPolicy.
fn check_fixed_schedule(policy: &Value) -> Result<(), Refusal> {
    let loanable = flag(policy, "/loanable");
    let has_policy = policy.get("loansPolicy").is_some();
    let schedule = policy.pointer("/loansPolicy/fixedDueDateScheduleId");
    if has_policy && schedule.is_none() && (is_fixed(policy) || !loanable) {
        let refusal = NO_FIXED_SCHEDULE.with("loanable", loanable.to_string());
        return Err(refusal.with("fixedDueDateScheduleId", "null"));
    }
    Ok(())
}

/// A fixed policy with a different renewal period needs an alternate schedule; without a different period none is
/// allowed.
fn check_alternate_schedule(policy: &Value) -> Result<(), Refusal> {
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
        let refusal = ALTERNATE_SCHEDULE_NOT_VALID.with("renewable", renewable.to_string());
        let refusal = refusal.with("different", different.to_string());
        let refusal = refusal.with("profile", profile);
        return Err(refusal.with("alternateFixedDueDateScheduleId", shown));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(policy: Value) -> Option<String> {
        let mut record = loan_policies().schema.accept(policy).expect("a readable policy");
        check_loan_policy(&mut record).err().map(|refused| refused.to_string())
    }

    #[test]
    fn loan_policies_are_checked_as_the_contract_says() {
        let id = "43198de5-f56a-4a53-a0bd-5a324418967a";
        let rolling = json!({"profileId": "Rolling"});
        let cases = [
            (json!({"name": "a", "loanable": true, "renewable": false, "loansPolicy": rolling}), None),
            (json!({"name": "a", "loanable": false, "renewable": false}), None),
            (
                json!({"name": "a", "loanable": true, "renewable": false, "loansPolicy": {"profileId": "Fixed"}}),
                Some("Fixed due date cannot be null if loanable is true and profile is of type fixed"),
            ),
            (
                json!({"name": "a", "loanable": false, "renewable": false, "loansPolicy": rolling}),
                Some("Fixed due date cannot be null if loanable is false and profile is of type fixed"),
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
            let schedule = json!({"name": "s", "schedules": [{"from": from, "to": to, "due": due}]});
            let mut record = fixed_due_date_schedules().schema.accept(schedule).expect("readable");
            check_schedules(&mut record).err().map(|refused| refused.to_string())
        };
        let wrong = |text: &str| Some(format!("Unable to save fixed loan date. Date range not valid {text}"));
        assert_eq!(check("2026-01-01", "2026-02-01", "2026-03-01"), None);
        assert_eq!(check("2026-04-01", "2026-05-01", "2026-03-01"), wrong("from date after due date"));
        assert_eq!(check("2026-02-01", "2026-01-01", "2026-03-01"), wrong("from date after to date"));
        assert_eq!(check("2026-01-01", "2026-04-01", "2026-03-01"), wrong("to date after due date"));
    }
}
