//! Renewal overrides and the due dates they set.

use super::*;

#[test]
fn an_override_takes_permission_comment_and_reason() {
    let over = json!({"overrideBlocks": {"renewalBlock": {}}});
    assert_eq!(
        messages(&context(), &usual(), &command(over.clone(), &[])),
        ["Insufficient override permissions", "Override renewal request must have a comment"]
    );
    let nothing = told(&context(), &usual(), &overriding(json!({"renewalBlock": {}})));
    assert_eq!(
        nothing[0].message,
        "Override renewal does not match any of expected cases: item is not loanable, \
         item is not renewable, reached number of renewals limit,renewal date falls outside of the date \
         ranges in the loan policy, items cannot be renewed when there is an active recall request, \
         item is Declared lost, item is Aged to lost, renewal would not change the due date, \
         loan has reminder fees"
    );
    assert_eq!(nothing[0].code.as_deref(), Some("OVERRIDE_RENEWAL_NOT_ALLOWED_FOR_CURRENT_LOAN"));
    let patron = json!({"overrideBlocks": {"patronBlock": {}}});
    let refused = told(&context(), &usual(), &command(patron, &[]));
    let expected = Granted::default().block(BlockKind::Patron);
    assert_eq!(refused[0].overridable_block, Some(expected));
}

#[test]
fn overridden_due_dates_are_computed_or_given() {
    let given = |date: &str| json!({"renewalDueDateRequiredBlock": {"dueDate": date}});
    let later = "2026-08-01T10:00:00.000+00:00";
    let from_now = json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE"}});
    let late = json!({"dueDate": "2026-07-01T23:59:59.000+00:00"});
    let cases: Vec<(RenewalContext, Value, Value, Result<&str, &str>)> = vec![
        (
            context(),
            json!({"renewable": false}),
            json!({"renewalBlock": {}}),
            Err("New due date must be specified when due date calculation fails"),
        ),
        (context(), json!({"renewable": false}), given(later), Ok("2026-08-01T10:00:00Z")),
        (context(), json!({"renewalsPolicy": {}}), given(later), Ok("2026-08-01T10:00:00Z")),
        // The computed date wins if it is later than the current due date.
        (with_loan(json!({"renewalCount": 2})), json!({}), given(later), Ok("2026-06-26T23:59:59Z")),
        (with_request("Recall", json!({})), json!({}), json!({"renewalBlock": {}}), Ok("2026-06-26T23:59:59Z")),
        (
            with_loan(late.clone()),
            from_now.clone(),
            json!({"renewalBlock": {}}),
            Err("New due date is required when renewal would not change the due date"),
        ),
        (with_loan(late.clone()), from_now.clone(), given(later), Ok("2026-08-01T10:00:00Z")),
        (with_loan(late), from_now, given("2026-06-02T00:00:00Z"), Err("renewal would not change the due date")),
    ];
    for (context, policy, blocks, expected) in cases {
        let library = library(policy.clone(), json!({}));
        let command = overriding(blocks.clone());
        match (decide(&context, &library, &command, now()), expected) {
            (Ok(renewal), Ok(due)) => {
                assert_eq!(renewal.due, at(due), "{policy} {blocks}");
                assert_eq!(renewal.loan.record()["action"], "renewedThroughOverride");
                assert_eq!(renewal.loan.record()["actionComment"], "because");
            }
            (Err(Refused(refusals)), Err(message)) => {
                assert_eq!(refusals.len(), 1);
                assert_eq!(refusals[0].message(), message);
            }
            (other, _) => panic!("{policy} {blocks}: {other:?}"),
        }
    }
}

#[test]
fn a_lost_item_that_is_renewed_is_out_again() {
    let aged = RenewalContext {
        loan: Some(loan(json!({
            "itemStatus": "Aged to lost", "agedToLostDelayedBilling": {"lostItemHasBeenBilled": false,
                "dateLostItemShouldBeBilled": DUE, "agedToLostDate": DUE},
        }))),
        lost_fees: serde_json::from_value(json!({"accounts": [{"account": {
            "id": NOBODY, "feeFineType": "Lost item fee", "amount": 5, "remaining": 5,
            "metadata": {"createdDate": DUE}}}]}))
        .expect("fees"),
        ..item_in("Aged to lost")
    };
    let over = overriding(json!({"renewalBlock": {}}));
    let renewal = decide(&aged, &usual(), &over, now()).expect("a renewal");
    assert!(renewal.item_comes_back);
    assert_eq!(renewal.fees.movements[0]["typeAction"], "Cancelled item renewed");
    assert_eq!(renewal.loan.record()["itemStatus"], "Checked out");
    assert_eq!(renewal.loan.record()["agedToLostDelayedBilling"], json!({"agedToLostDate": DUE}));
}

#[test]
fn a_patron_block_that_is_overridden_leaves_the_other_checks() {
    let mut context = with_loan(json!({"renewalCount": 2}));
    context.manual_blocks = serde_json::from_value(json!([{"desc": "Lost card", "renewals": true}])).expect("blocks");
    let over = overriding(json!({"patronBlock": {}}));
    assert_eq!(messages(&context, &usual(), &over), ["loan at maximum renewal number"]);
    context.loan = Some(loan(json!({})));
    let renewal = decide(&context, &usual(), &over, now()).expect("a renewal");
    assert_eq!(renewal.loan.record()["action"], "renewedThroughOverride");
}
