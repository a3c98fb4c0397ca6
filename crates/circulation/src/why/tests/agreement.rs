//! Properties: the trace of a decision agrees with the decision, whatever the records and the policy.

use rust_decimal::Decimal;

use super::*;
use crate::{
    check_out::refusal as check_out_refusal,
    fees::{
        account::Account,
        changes::{Cause, FeeSubject},
        overdue_fine,
    },
    records::Instance,
    testing::request,
    trace::Trace,
};

const STRATEGIES: [&str; 6] = [
    "CURRENT_DUE_DATE",
    "CURRENT_DUE_DATE_TIME",
    "END_OF_THE_PREVIOUS_OPEN_DAY",
    "END_OF_THE_NEXT_OPEN_DAY",
    "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
    "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
];

prop_compose! {
    fn policies()(
        fixed in any::<bool>(),
        scheduled in any::<bool>(),
        duration in 1..40i64,
        interval in select(vec!["Hours", "Days", "Weeks"]),
        strategy in select(STRATEGIES.to_vec()),
        from_today in any::<bool>(),
        for_holds in any::<bool>(),
        guaranteed in any::<bool>(),
        may_extend in any::<bool>(),
        wanted in any::<bool>(),
        loanable in prop::bool::weighted(0.9),
        limit in prop::option::of(0..3i64),
    ) -> Value {
        let mut loans = rolling(duration, interval, strategy);
        loans["openingTimeOffset"] = json!({"duration": 30, "intervalId": "Minutes"});
        loans["itemLimit"] = json!(limit);
        if fixed {
            loans["profileId"] = "Fixed".into();
        }
        if fixed || scheduled {
            loans["fixedDueDateScheduleId"] = json!(SCHEDULE);
        }
        let mut recalls = json!({"allowRecallsToExtendOverdueLoans": may_extend});
        if guaranteed {
            recalls["minimumGuaranteedLoanPeriod"] = json!({"duration": 5, "intervalId": "Days"});
        }
        if wanted {
            recalls["recallReturnInterval"] = json!({"duration": 2, "intervalId": "Days"});
        }
        let mut holds = json!({"renewItemsWithRequest": true});
        if for_holds {
            holds["alternateCheckoutLoanPeriod"] = json!({"duration": 3, "intervalId": "Days"});
            holds["alternateRenewalLoanPeriod"] = json!({"duration": 4, "intervalId": "Days"});
        }
        let renew_from = if from_today { "SYSTEM_DATE" } else { "CURRENT_DUE_DATE" };
        json!({
            "loanable": loanable, "loansPolicy": loans,
            "renewalsPolicy": {"numberAllowed": 1, "renewFromId": renew_from},
            "requestManagement": {"recalls": recalls, "holds": holds},
        })
    }
}

prop_compose! {
    fn contexts()(
        expires in prop::option::of(1..90i64),
        map in prop::bool::weighted(0.1),
        blocked in prop::bool::weighted(0.2),
        loans in 0..8i64,
        same_kind in 0..3i64,
        lost in prop::bool::weighted(0.1),
        requests in prop::collection::vec((any::<bool>(), any::<bool>()), 0..3),
    ) -> CheckOutContext {
        let status = if lost { "Declared lost" } else { "Available" };
        let kind = if map { MAP } else { BOOK };
        let expires = expires.map(|days| (now() + jiff::SignedDuration::from_hours(24 * days)).to_string());
        let mut context = found(
            json!({"status": {"name": status}, "materialTypeId": kind}),
            json!({"expirationDate": expires}),
        );
        let patron = context.patron.as_mut().expect("a patron");
        patron.standing.open_loans = loans;
        patron.same_kind.any = same_kind;
        patron.same_kind.material_type = same_kind;
        if blocked {
            let block = ManualBlock { desc: "Owes money".into(), borrowing: true, renewals: true, ..ManualBlock::default() };
            patron.manual_blocks.push(block);
        }
        let requests = requests.into_iter().zip(1..).map(|((own, recall), place)| {
            let requester = if own { READER } else { OTHER_READER };
            let mut queued = request(u128::try_from(place).unwrap_or_default(), requester, place);
            queued["request"]["requestType"] = if recall { "Recall" } else { "Hold" }.into();
            parsed::<QueuedRequest>(queued)
        });
        context.requests = requests.collect();
        context
    }
}

/// Each step of a due date begins where the one before it ended; the last one ends with the date.
fn dates_lead_to(steps: &[Step], due: Option<Timestamp>) -> Result<(), TestCaseError> {
    let dates: Vec<_> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Date { from, to, .. } => Some((*from, *to)),
            _ => None,
        })
        .collect();
    for pair in dates.windows(2) {
        prop_assert_eq!(pair[0].1, pair[1].0);
    }
    if let Some(due) = due {
        let last = dates.last().map(|(_, to)| to.as_millisecond());
        prop_assert_eq!(last, Some(due.as_millisecond()));
    }
    Ok(())
}

/// Every noted refusal is one of the decision's; those that need a cause have one.
fn causes_belong(explanation: &Explanation) -> Result<(), TestCaseError> {
    let refusals = explanation.decided.as_ref().err().map(|refused| refused.0.clone()).unwrap_or_default();
    for step in &explanation.steps {
        if let Step::Refused { refusal, .. } = step {
            prop_assert!(refusals.contains(refusal), "{refusal}");
        }
    }
    for refusal in &refusals {
        let caused =
            explanation.steps.iter().any(|step| matches!(step, Step::Refused { refusal: r, .. } if r == refusal));
        let tells = [
            crate::blocks::refusal::BLOCKED_MANUALLY,
            crate::blocks::refusal::BLOCKED_AUTOMATICALLY,
            check_out_refusal::NOT_LOANABLE,
            check_out_refusal::REQUESTED_BY_ANOTHER,
            check_out_refusal::LIMIT_OF_MATERIAL,
            crate::renewal::refusal::LIMIT_REACHED,
            crate::renewal::refusal::NOT_LOANABLE,
            crate::renewal::refusal::SAME_DUE_DATE,
            crate::renewal::refusal::RECALLED,
        ];
        let needs = tells.iter().any(|wording| refusal.is(wording));
        prop_assert!(caused || !needs, "{refusal}");
    }
    Ok(())
}

fn loan_rule(steps: &[Step]) -> Option<Uuid> {
    steps.iter().find_map(|step| match step {
        Step::Rule { kind: crate::rules::PolicyKind::Loan, policy, .. } => Some(*policy),
        _ => None,
    })
}

proptest! {
    #[test]
    fn a_check_out_and_its_trace_agree(policy in policies(), context in contexts(), hour in 0..240i64) {
        let library = library(policy);
        let now = now() + jiff::SignedDuration::from_hours(hour);
        let command = command(&now.to_string());
        let explanation = check_out(&context, &library, &command, now);
        let decided = check_out::decide(&context, &library, &command, now);
        let due = decided.as_ref().map(|made| made.loan.due_date());
        prop_assert_eq!(&explanation.decided, &due.map_err(Clone::clone));
        causes_belong(&explanation)?;
        dates_lead_to(&explanation.steps, explanation.decided.as_ref().ok().copied().flatten())?;
        let Ok(made) = decided else { return Ok(()) };
        prop_assert_eq!(loan_rule(&explanation.steps), made.loan.loan_policy_id());
        let kinds = explanation.steps.iter().filter(|step| matches!(step, Step::Rule { .. })).count();
        prop_assert_eq!(kinds, 4, "loan, overdue fine, lost item and notice policy");
    }

    #[test]
    fn a_loan_is_explained_by_the_date_it_was_given(policy in policies(), context in contexts(), hour in 0..240i64) {
        let library = library(policy);
        let now = now() + jiff::SignedDuration::from_hours(hour);
        let decided = check_out::decide(&context, &library, &command(&now.to_string()), now);
        let Ok(made) = decided else { return Ok(()) };
        let lent = stamped(made.loan, now);
        let borrower = context.patron.as_ref().map(|found| found.patron.clone());
        let mut records =
            LoanRecords { loan: lent.clone(), item: Some(out()), borrower, changes: vec![change(&lent, None)] };
        let explained = loan(&records, &library, &WhatIf::default());
        prop_assert_eq!(explained.set_by, SetBy::CheckOut);
        prop_assert!(explained.agrees(), "{:?}", explained.by_rules);
        dates_lead_to(&explained.by_rules.steps, records.loan.due_date())?;

        // The same once it is renewed.
        let later = now + jiff::SignedDuration::from_hours(30);
        let read = RenewalContext {
            item: Some(out()),
            loan: Some(lent.clone()),
            borrower: records.borrower.clone(),
            requests: context.requests.clone(),
            ..RenewalContext::default()
        };
        let explanation = renewal(&read, &library, &renewing(), later);
        let decided = renewal::decide(&read, &library, &renewing(), later);
        let due = decided.as_ref().map(|renewed| Some(renewed.due));
        prop_assert_eq!(&explanation.decided, &due.map_err(Clone::clone));
        causes_belong(&explanation)?;
        dates_lead_to(&explanation.steps, explanation.decided.as_ref().ok().copied().flatten())?;
        let Ok(renewed) = decided else { return Ok(()) };
        let renewed = stamped(renewed.loan, later);
        records.changes.push(change(&renewed, Some(&lent)));
        records.loan = renewed;
        let explained = loan(&records, &library, &WhatIf::default());
        prop_assert_eq!(explained.set_by, SetBy::Renewal);
        prop_assert!(explained.agrees(), "{:?}", explained.by_rules);
        dates_lead_to(&explained.by_rules.steps, records.loan.due_date())?;
    }

    #[test]
    fn a_recalled_loan_is_explained_by_its_new_date(policy in policies(), days in 0..40i64) {
        let library = library(policy);
        let context = found(json!({}), json!({}));
        let decided = check_out::decide(&context, &library, &command("2026-06-01T10:00:00Z"), now());
        let Ok(made) = decided else { return Ok(()) };
        let lent = stamped(made.loan, now());
        let at = now() + jiff::SignedDuration::from_hours(24 * days);
        let patron: Patron = parsed(patron(READER));
        let recalled = crate::requests::recall::recall(&lent, &out(), &patron, &library, at);
        let Ok(Some(recalled)) = recalled else { return Ok(()) };
        let recalled = stamped(recalled, at);
        let records = LoanRecords {
            loan: recalled.clone(),
            item: Some(out()),
            borrower: Some(patron),
            changes: vec![change(&lent, None), change(&recalled, Some(&lent))],
        };
        let explained = loan(&records, &library, &WhatIf::default());
        prop_assert_eq!(explained.set_by, SetBy::Recall);
        prop_assert!(explained.agrees(), "{:?}", explained.by_rules);
        dates_lead_to(&explained.by_rules.steps, recalled.due_date())?;
    }

    #[test]
    fn a_fine_and_its_trace_agree(
        late in -5_000..60_000i64,
        closed in any::<bool>(),
        recalled in any::<bool>(),
        renewed in any::<bool>(),
        quantity in 0..200i64,
        maximum in 0..2_000i64,
    ) {
        let mut library = library(json!({"loansPolicy": rolling(3, "Weeks", "CURRENT_DUE_DATE")}));
        if let Some(policy) = library.overdue_fine_policies.get_mut(&FINES) {
            policy.fines.count_closed = Some(closed);
            policy.fines.max_overdue_fine = Some(Decimal::new(maximum, 2));
            let rate = policy.fines.overdue_fine.as_mut().expect("a rate");
            rate.quantity = Some(Decimal::new(quantity, 2));
        }
        let due = now();
        let until = due + jiff::SignedDuration::from_mins(late);
        let mut lent = Loan::default();
        lent.set_due_date(due);
        lent.set_overdue_fine_policy_id(FINES);
        lent.set_due_by_recall(recalled);
        let (item, borrower): (Item, Patron) = (out(), parsed(patron(READER)));
        let title = Instance::default();
        let subject = FeeSubject { loan: &lent, item: &item, instance: &title, borrower: Some(&borrower) };
        let charge = |trace: Trace<'_>| match renewed {
            true => overdue_fine::at_renewal(subject, &Cause::system(), &library, until, trace),
            false => overdue_fine::at_return(subject, (until, false), &Cause::system(), &library, until, trace),
        };
        let charged = charge(Trace::OFF);
        let (traced_charge, steps) = traced(charge);
        prop_assert_eq!(&charged, &traced_charge);
        let sums: Vec<_> = steps.iter().filter_map(|step| match step {
            Step::Fine(sum) => Some(sum.amount),
            _ => None,
        }).collect();
        let reasons = steps.iter().filter(|step| matches!(step, Step::NoFine(_))).count();
        let Some(charged) = charged else {
            prop_assert_eq!(reasons, 1);
            return Ok(());
        };
        prop_assert_eq!((sums, reasons), (vec![charged.account.amount()], 0));

        // The stored fee is explained by the same amount.
        let mut account = charged.account.record().clone();
        account.insert("metadata".into(), json!({"createdDate": until.to_string()}));
        if !renewed {
            account.insert("returnedDate".into(), until.to_string().into());
        }
        let records = FeeRecords {
            account: Account::new(account),
            loan: Some(lent),
            item: Some(item),
            borrower: Some(borrower),
        };
        let explained = fee(&records, &library, &WhatIf::default());
        prop_assert!(explained.agrees(), "{:?}", explained);
    }
}
