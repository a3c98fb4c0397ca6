//! That the limits told are those that block, and that what would free the patron does.

use rust_decimal::Decimal;

use super::*;
use crate::{
    blocks::automated::{
        FEE_BALANCE, ITEMS_CHARGED_OUT, LOST_ITEMS, OVERDUE_ITEMS, OVERDUE_RECALLS, PastDue, RECALL_OVERDUE_DAYS,
        Standing, automated_blocks,
    },
    trace::{LimitCheck, Passed},
};

const CONDITIONS: [Uuid; 6] =
    [ITEMS_CHARGED_OUT, LOST_ITEMS, OVERDUE_ITEMS, OVERDUE_RECALLS, RECALL_OVERDUE_DAYS, FEE_BALANCE];
const FACULTY: Uuid = Uuid::from_u128(0xfac);

/// Each condition stops everything, and each has this limit for staff; for faculty there is one for items only.
fn limited(limit: Decimal) -> Configuration {
    let conditions = CONDITIONS.map(|id| {
        json!({"id": id, "name": format!("Condition {id}"), "blockBorrowing": true, "blockRenewals": true,
            "blockRequests": true, "message": format!("Blocked by {id}")})
    });
    let of = |group: Uuid, condition: Uuid, value: Decimal| json!({"id": NOBODY, "patronGroupId": group, "conditionId": condition, "value": value});
    let mut limits: Vec<_> = CONDITIONS.into_iter().map(|condition| of(STAFF, condition, limit)).collect();
    limits.push(of(FACULTY, ITEMS_CHARGED_OUT, 50.into()));
    let groups = json!([{"id": STAFF, "group": "staff"}, {"id": FACULTY, "group": "faculty"}]);
    let members = json!({"blockConditions": conditions, "blockLimits": limits, "patronGroups": groups});
    Configuration::read(1, &with(records(), members))
}

fn checks(standing: &Standing, library: &Configuration) -> Vec<LimitCheck> {
    let records = PatronRecords { patron: parsed(patron(READER)), standing: standing.clone() };
    let told = blocks(&records, library, &WhatIf::default(), now());
    let checks = told.by_limits.steps.into_iter().filter_map(|step| match step {
        Step::Limit(check) => Some(check),
        _ => None,
    });
    checks.collect()
}

fn flags(stops: [Option<Passed>; 3]) -> [bool; 3] {
    stops.map(|stop| stop.is_some())
}

/// The patron with `less` of what a condition counts.
fn with_less(standing: &Standing, condition: Uuid, less: Decimal) -> Standing {
    let mut after = standing.clone();
    let items = usize::try_from(less.ceil()).unwrap_or_default();
    let number = i64::try_from(items).unwrap_or_default();
    match condition {
        ITEMS_CHARGED_OUT => after.open_loans -= number,
        LOST_ITEMS => after.lost -= number,
        FEE_BALANCE => after.fee_balance -= less,
        // The loans that are late for longest go first; the others do not matter to a condition of recalls.
        _ => {
            let only_recalls = condition != OVERDUE_ITEMS;
            after.past_due.sort_by_key(|loan| (only_recalls && !loan.recall, loan.due_date.clone()));
            after.past_due.drain(..items);
        }
    }
    after
}

prop_compose! {
    fn standings()(
        open_loans in 0..6i64,
        claimed_returned in 0..2i64,
        lost in 0..4i64,
        cents in 0..700i64,
        late in prop::collection::vec((1..150i64, any::<bool>()), 0..5),
    ) -> Standing {
        let past_due = late.into_iter().map(|(hours, recall)| PastDue {
            due_date: (now() - jiff::SignedDuration::from_hours(hours)).to_string(),
            recall,
            loan_policy_id: None,
        });
        let fee_balance = Decimal::new(cents, 2);
        Standing { open_loans, claimed_returned, lost, past_due: past_due.collect(), fee_balance }
    }
}

proptest! {
    #[test]
    fn the_limits_told_are_those_that_block(standing in standings(), halves in 0..10i64) {
        let library = limited(Decimal::new(halves * 5, 1));
        let checks = checks(&standing, &library);
        let told: Vec<_> = checks.iter().filter(|check| check.stops.iter().any(Option::is_some))
            .map(|check| (check.condition, flags(check.stops))).collect();
        let blocking: Vec<_> = automated_blocks(&standing, Some(STAFF), &library, now()).into_iter()
            .map(|b| (b.patron_block_condition_id, [b.block_borrowing, b.block_renewals, b.block_requests])).collect();
        prop_assert_eq!(told, blocking);
    }

    #[test]
    fn what_would_free_the_patron_does_and_no_less_would(standing in standings(), halves in 0..10i64) {
        let library = limited(Decimal::new(halves * 5, 1));
        for check in checks(&standing, &library) {
            for (action, stop) in check.stops.into_iter().enumerate() {
                let Some(Passed { less: Some(less) }) = stop else { continue };
                let stops = |less: Decimal| {
                    let after = with_less(&standing, check.condition, less);
                    let blocks = automated_blocks(&after, Some(STAFF), &library, now()).into_iter();
                    let mut of_condition = blocks.filter(|block| block.patron_block_condition_id == check.condition);
                    of_condition.any(|b| [b.block_borrowing, b.block_renewals, b.block_requests][action])
                };
                prop_assert!(!stops(less), "{check:?}");
                let one = if check.condition == FEE_BALANCE { Decimal::new(1, 2) } else { Decimal::ONE };
                prop_assert!(stops(less - one), "{check:?}");
            }
        }
    }
}

fn told(standing: &Standing, library: &Configuration, what_if: &WhatIf) -> Value {
    let records = PatronRecords { patron: parsed(patron(READER)), standing: standing.clone() };
    blocks(&records, library, what_if, now()).shown(library)
}

#[test]
fn a_limit_is_told_with_the_figure_against_it_and_for_another_group() {
    let library = limited(2.into());
    let standing = Standing { open_loans: 3, ..Standing::default() };
    let answer = told(&standing, &library, &WhatIf::default());
    assert_eq!(answer["facts"], json!({"patronGroup": {"id": STAFF, "name": "staff"}}));
    let name = format!("Condition {ITEMS_CHARGED_OUT}");
    let limit = json!({
        "condition": {"id": ITEMS_CHARGED_OUT, "name": name}, "message": format!("Blocked by {ITEMS_CHARGED_OUT}"),
        "limit": 2.0, "has": 3.0, "stops": [{"action": "borrowing", "less": 2.0}, {"action": "renewals", "less": 1.0},
            {"action": "requests", "less": 1.0}]});
    assert_eq!(answer["limits"][0], limit);
    assert_eq!(answer["limits"][1]["stops"], json!([]), "a limit that is not reached is told, too");
    let what_if = WhatIf { patron_group: Some(FACULTY), ..WhatIf::default() };
    let answer = told(&standing, &library, &what_if);
    assert_eq!(answer["limits"].as_array().map(Vec::len), Some(1));
    assert_eq!((&answer["limits"][0]["limit"], &answer["limits"][0]["stops"]), (&json!(50.0), &json!([])));
}

#[test]
fn a_limit_of_no_items_stops_borrowing_whatever_comes_back() {
    let owing = Standing { open_loans: 1, fee_balance: 1.into(), ..Standing::default() };
    let stops = told(&owing, &limited(0.into()), &WhatIf::default())["limits"][0]["stops"].clone();
    assert_eq!(stops[0], json!({"action": "borrowing"}));
    // A patron without items and debts is not compared with any limit.
    let blank = told(&Standing::default(), &limited(0.into()), &WhatIf::default());
    assert_eq!(blank["limits"], json!([]));
}
