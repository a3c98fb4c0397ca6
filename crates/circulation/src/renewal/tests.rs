//! Renewals: each check alone, several at once, overrides, and what a renewal changes.

use serde_json::{Value, json};

use super::*;
use crate::{blocks::Granted, refusal::Told, testing::*};

const DUE: &str = "2026-06-05T23:59:59.000+00:00";

/// Three weeks, renewed from the current due date, twice.
fn policy(members: Value) -> Value {
    let policy = json!({
        "id": THREE_WEEKS, "name": "Three weeks", "loanable": true, "renewable": true,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"},
        "renewalsPolicy": {"numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE"},
    });
    with(policy, members)
}

fn library(of_policy: Value, more: Value) -> Configuration {
    let records = with(records(), json!({"loanPolicies": [policy(of_policy)]}));
    Configuration::read(7, &with(records, more))
}

fn usual() -> Configuration {
    library(json!({}), json!({}))
}

fn loan(members: Value) -> Loan {
    let loan = json!({
        "id": Uuid::from_u128(7), "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
        "loanDate": "2026-05-15T10:00:00Z", "dueDate": DUE, "action": "checkedout",
        "actionComment": "a comment", "itemStatus": "Checked out", "checkoutServicePointId": DESK,
        "overdueFinePolicyId": FINES,
    });
    Loan::new(with(loan, members).as_object().expect("a record").clone())
}

fn context() -> RenewalContext {
    let out = with(item(), json!({"status": {"name": "Checked out"}}));
    RenewalContext {
        item: serde_json::from_value(out).expect("an item"),
        instance: serde_json::from_value(instance()).expect("an instance"),
        loan: Some(loan(json!({}))),
        borrower: serde_json::from_value(patron(READER)).expect("a patron"),
        ..RenewalContext::default()
    }
}

fn item_in(status: &str) -> RenewalContext {
    let item = with(item(), json!({"status": {"name": status}}));
    RenewalContext {
        item: serde_json::from_value(item).expect("an item"),
        ..context()
    }
}

fn with_loan(members: Value) -> RenewalContext {
    RenewalContext {
        loan: Some(loan(members)),
        ..context()
    }
}

fn with_request(kind: &str, more: Value) -> RenewalContext {
    let mut queued = request(1, OTHER_READER, 1);
    queued["request"]["requestType"] = kind.into();
    queued["request"] = with(queued["request"].take(), more);
    RenewalContext {
        requests: vec![serde_json::from_value(queued).expect("a request")],
        ..context()
    }
}

fn command(more: Value, granted: &[BlockKind]) -> RenewalCommand {
    let body = with(json!({"itemBarcode": "i-1", "userBarcode": "p-1"}), more);
    let granted = Granted(granted.to_vec());
    RenewalCommand::read(&body, NamedBy::Barcode, granted).expect("a command")
}

fn plain() -> RenewalCommand {
    command(json!({}), &[])
}

fn overriding(blocks: Value) -> RenewalCommand {
    let blocks = with(json!({"comment": "because"}), blocks);
    command(
        json!({"overrideBlocks": blocks}),
        &[BlockKind::Patron, BlockKind::Renewal],
    )
}

fn told(
    context: &RenewalContext,
    configuration: &Configuration,
    command: &RenewalCommand,
) -> Vec<Told> {
    match decide(context, configuration, command, now()) {
        Err(NotRenewed::Refused(refusals)) => refusals.iter().map(|r| r.told(command)).collect(),
        other => panic!("expected refusals, got {other:?}"),
    }
}

fn messages(
    context: &RenewalContext,
    configuration: &Configuration,
    command: &RenewalCommand,
) -> Vec<String> {
    let told = told(context, configuration, command);
    told.into_iter().map(|told| told.message).collect()
}

fn renewed(context: &RenewalContext, configuration: &Configuration) -> Renewal {
    decide(context, configuration, &plain(), now()).expect("a renewal")
}

/// A single refusal: message, code, keys of its parameters, name of its block.
#[track_caller]
fn assert_refused(
    (context, configuration): (&RenewalContext, &Configuration),
    (message, code, keys, block): (&str, &str, &[&str], Option<&str>),
) {
    let all = told(context, configuration, &plain());
    assert_eq!(all.len(), 1, "{all:?}");
    let told = &all[0];
    assert_eq!(told.message, message);
    assert_eq!(told.code, Some(code), "{message}");
    let told_keys: Vec<&str> = told.parameters.iter().map(|(key, _)| *key).collect();
    assert_eq!(told_keys, keys, "{message}");
    let told_block = told.block.as_ref().map(|block| block.kind.name());
    assert_eq!(told_block, block, "{message}");
}

#[test]
fn a_plain_renewal_changes_these_members_only() {
    let context = with_loan(json!({
        "renewalCount": 1, "reminders": {"lastFeeBilled": {"number": 0}}, "kept": "as it is",
    }));
    let renewal = renewed(&context, &usual());
    let expected = loan(json!({
        "renewalCount": 2, "kept": "as it is", "action": "renewed",
        "dueDate": "2026-06-26T23:59:59.000+00:00", "loanPolicyId": THREE_WEEKS,
    }));
    let mut expected = expected;
    expected.remove("actionComment");
    assert_eq!(renewal.loan, expected);
    assert!(renewal.fees.is_empty());
    assert!(!renewal.item_comes_back);
}

#[test]
fn a_recall_that_is_over_no_longer_sets_the_due_date() {
    let context = with_loan(json!({"dueDateChangedByRecall": true}));
    let renewal = renewed(&context, &usual());
    assert!(!renewal.loan.is_due_by_recall());
}

#[test]
fn an_overdue_loan_is_fined() {
    let due = "2026-05-30T23:59:59.000+00:00";
    let from_now = json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE"}});
    let context = with_loan(json!({"dueDate": due}));
    let fines = json!({
        "overdueFinePolicies": [{"id": FINES, "name": "Fines", "countClosed": true, "forgiveOverdueFine": false,
            "overdueFine": {"quantity": 1, "intervalId": "day"}, "maxOverdueFine": 0}],
        "feeOwners": [{"id": NOBODY, "owner": "Desk", "servicePointOwner": [{"value": DESK}]}],
    });
    let renewal = renewed(&context, &library(from_now, fines));
    assert_eq!(renewal.fees.charges[0].account["amount"], 2.0);
    assert_eq!(renewal.fees.charges[0].account["dueDate"], due);
    assert_eq!(renewal.due, at("2026-06-22T23:59:59Z"));
}

#[test]
fn who_and_what_is_found_first() {
    let nobody = RenewalContext {
        item: None,
        ..context()
    };
    let expected: (&str, &str, &[&str], _) = (
        "No item with barcode i-1 exists",
        "ITEM_BARCODE_NOT_FOUND",
        &["itemBarcode"],
        None,
    );
    assert_refused((&nobody, &usual()), expected);
    let gone = RenewalContext {
        borrower: None,
        ..context()
    };
    let expected: (&str, &str, &[&str], _) =
        ("user is not found", "USER_NOT_FOUND", &["userId"], None);
    assert_refused((&gone, &usual()), expected);
    let at_home = RenewalContext {
        loan: None,
        ..context()
    };
    let expected: (&str, &str, &[&str], _) = (
        "No open loan found for the item barcode. (i-1)",
        NO_OPEN_LOAN,
        &["itemBarcode"],
        None,
    );
    assert_refused((&at_home, &usual()), expected);
    let other = command(json!({"userBarcode": "p-2"}), &[]);
    let told = told(&context(), &usual(), &other);
    assert_eq!(
        told[0].message,
        "Cannot renew item checked out to different user"
    );
    assert_eq!(
        told[0].parameters,
        [("userBarcode", Some("p-2".to_owned()))]
    );
}

#[test]
fn a_body_names_item_and_borrower() {
    let read = |body: Value, by| RenewalCommand::read(&body, by, Granted::default());
    for (body, by, message, code) in [
        (
            json!({"userBarcode": "p"}),
            NamedBy::Barcode,
            "Renewal request must have an item barcode",
            Some("RENEWAL_REQUEST_ITEM_BARCODE_REQUIRED"),
        ),
        (
            json!({"itemBarcode": "i", "userBarcode": " "}),
            NamedBy::Barcode,
            "Renewal request must have a user barcode",
            Some("RENEWAL_REQUEST_USER_BARCODE_REQUIRED"),
        ),
        (
            json!({}),
            NamedBy::Id,
            "Renewal request must have an item ID",
            None,
        ),
        (
            json!({"itemId": ITEM}),
            NamedBy::Id,
            "Renewal request must have a user ID",
            None,
        ),
    ] {
        let refusal = read(body, by).expect_err("a refusal");
        let told = refusal.of_body().expect("an answer");
        assert_eq!((told.message.as_str(), told.code), (message, code));
    }
}

#[test]
fn by_id_another_borrower_is_told_with_the_rest() {
    let body = json!({"itemId": ITEM, "userId": OTHER_READER});
    let command = RenewalCommand::read(&body, NamedBy::Id, Granted::default());
    let context = with_loan(json!({"renewalCount": 2}));
    assert_eq!(
        messages(&context, &usual(), &command.expect("a command")),
        [
            "Cannot renew item checked out to different user",
            "loan at maximum renewal number"
        ]
    );
}

#[test]
fn the_borrower_is_checked() {
    let borrower = |members: Value| RenewalContext {
        borrower: serde_json::from_value(with(patron(READER), members)).expect("a patron"),
        ..context()
    };
    for inactive in [
        json!({"active": false}),
        json!({"expirationDate": "2026-05-01T00:00:00Z"}),
    ] {
        let first = &told(&borrower(inactive), &usual(), &plain())[0];
        assert_eq!(
            first.message,
            "Cannot renew loan when user is inactive or expired"
        );
        assert_eq!(first.code, Some("USER_IS_INACTIVE_OR_EXPIRED"));
    }
    let expected: (&str, &str, &[&str], _) = (
        "Cannot determine if user is active.",
        "USER_STATUS_CANNOT_BE_DETERMINED",
        &["reason"],
        None,
    );
    assert_refused((&borrower(json!({"active": null})), &usual()), expected);
    let mut blocked = context();
    blocked.manual_blocks = serde_json::from_value(json!([
        {"desc": "Lost card", "renewals": true, "expirationDate": "2027-01-01T00:00:00Z"},
        {"desc": "Owes a book", "borrowing": true},
    ]))
    .expect("blocks");
    let expected: (&str, &str, &[&str], _) = (
        "Patron blocked from renewing",
        "USER_IS_BLOCKED_MANUALLY",
        &["reason"],
        Some("patronBlock"),
    );
    assert_refused((&blocked, &usual()), expected);
    let limit = json!({"blockConditions": [{"id": CHARGED_OUT, "blockRenewals": true, "message": "Too many"}]});
    let mut many = context();
    many.standing.open_loans = 6;
    let expected: (&str, &str, &[&str], _) = (
        "Too many",
        "USER_IS_BLOCKED_AUTOMATICALLY",
        &[],
        Some("patronBlock"),
    );
    assert_refused((&many, &library(json!({}), limit)), expected);
}

#[test]
fn billed_reminders_block_where_the_policy_says_so() {
    let reminders = |allowed: bool| {
        json!({"overdueFinePolicies": [{"id": FINES, "name": "Reminders", "reminderFeesPolicy":
            {"reminderSchedule": [{}], "allowRenewalOfItemsWithReminderFees": allowed}}]})
    };
    let billed = with_loan(json!({"reminders": {"lastFeeBilled": {"number": 1}}}));
    let expected: (&str, &str, &[&str], _) = (
        "Renewals not allowed for loans with reminders.",
        "RENEWAL_BLOCKED_BY_REMINDER_FEES",
        &["reason"],
        Some("renewalBlock"),
    );
    assert_refused((&billed, &library(json!({}), reminders(false))), expected);
    renewed(&billed, &library(json!({}), reminders(true)));
    let over = overriding(json!({"renewalBlock": {}}));
    let allowed = library(json!({}), reminders(false));
    decide(&billed, &allowed, &over, now()).expect("an overridden renewal");
}

#[test]
fn policy_and_state_are_checked() {
    let of_policy: &[&str] = &["loanPolicyId", "loanPolicyName"];
    let required = Some("renewalDueDateRequiredBlock");
    let holds = |members: Value| json!({"requestManagement": {"holds": members}});
    let period = json!({"duration": 1, "intervalId": "Weeks"});
    type Case<'a> = (
        RenewalContext,
        Value,
        (&'a str, &'a str, &'a [&'a str], Option<&'a str>),
    );
    let cases: Vec<Case<'_>> = vec![
        (
            context(),
            json!({"loanable": false}),
            (
                "item is not loanable",
                "ITEM_NOT_LOANABLE",
                of_policy,
                required,
            ),
        ),
        (
            with_request("Recall", json!({})),
            json!({}),
            (
                "items cannot be renewed when there is an active recall request",
                "RENEWAL_BLOCKED_BY_RECALL",
                &["requestId"],
                Some("renewalBlock"),
            ),
        ),
        (
            item_in("Aged to lost"),
            json!({}),
            (
                "item is Aged to lost",
                "ITEM_AGED_TO_LOST_NOT_RENEWABLE",
                &["itemId"],
                Some("renewalBlock"),
            ),
        ),
        (
            item_in("Declared lost"),
            json!({}),
            (
                "item is Declared lost",
                "ITEM_DECLARED_LOST_NOT_RENEWABLE",
                &["itemId"],
                Some("renewalBlock"),
            ),
        ),
        (
            with_loan(json!({"renewalCount": 2})),
            json!({}),
            (
                "loan at maximum renewal number",
                "LOAN_RENEWAL_LIMIT_REACHED",
                of_policy,
                Some("renewalBlock"),
            ),
        ),
        (
            context(),
            json!({"renewable": false}),
            (
                "loan is not renewable",
                "LOAN_NOT_RENEWABLE",
                of_policy,
                required,
            ),
        ),
        (
            with_request("Hold", json!({})),
            json!({}),
            (
                "Items with this loan policy cannot be renewed when there is an active, pending hold request",
                "RENEWAL_BLOCKED_BY_HOLD_REQUEST",
                of_policy,
                required,
            ),
        ),
        (
            item_in("Claimed returned"),
            json!({}),
            (
                "item is Claimed returned",
                "ITEM_CLAIMED_RETURNED_NOT_RENEWABLE",
                &["itemId"],
                None,
            ),
        ),
        (
            with_loan(json!({"dueDate": "2026-06-30T23:59:59.000+00:00"})),
            json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE"}}),
            (
                "renewal would not change the due date",
                "RENEWAL_WOULD_NOT_CHANGE_DUE_DATE",
                of_policy,
                required,
            ),
        ),
        (
            context(),
            json!({"renewalsPolicy": {"unlimited": true}}),
            (
                "cannot determine when to renew from",
                "LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED",
                of_policy,
                required,
            ),
        ),
    ];
    for (context, policy, expected) in cases {
        assert_refused((&context, &library(policy, json!({}))), expected);
    }
    // A hold is renewed past where the policy says so, even for another time.
    let allowed = library(
        holds(json!({"renewItemsWithRequest": true, "alternateRenewalLoanPeriod": period})),
        json!({}),
    );
    let renewal = renewed(&with_request("Hold", json!({})), &allowed);
    assert_eq!(renewal.due, at("2026-06-12T23:59:59Z"));
}

#[test]
fn a_fixed_policy_with_periods_is_refused_when_a_hold_waits() {
    let schedule = json!({"schedules": [{"id": NOBODY, "name": "Terms", "schedules": [
        {"from": "2026-01-01T00:00:00Z", "to": "2026-12-31T00:00:00Z", "due": "2026-12-31T00:00:00Z"}]}]});
    let period = json!({"duration": 1, "intervalId": "Weeks"});
    let policy = json!({
        "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": NOBODY},
        "renewalsPolicy": {"unlimited": true, "differentPeriod": true, "period": period,
            "alternateFixedDueDateScheduleId": NOBODY},
        "requestManagement": {"holds": {"renewItemsWithRequest": true,
            "alternateRenewalLoanPeriod": period}},
    });
    let library = library(policy, schedule);
    assert_eq!(
        messages(&with_request("Hold", json!({})), &library, &plain()),
        [
            "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
            "Item's loan policy has fixed profile but renewal period is specified",
        ]
    );
    let renewal = renewed(&context(), &library);
    assert_eq!(renewal.due, at("2026-12-31T23:59:59Z"));
}

#[test]
fn everything_is_told_in_order() {
    let context = RenewalContext {
        loan: Some(loan(json!({"renewalCount": 5}))),
        requests: with_request("Recall", json!({})).requests,
        ..item_in("Aged to lost")
    };
    let library = library(
        json!({"loanable": false, "renewalsPolicy": {"numberAllowed": 1}}),
        json!({}),
    );
    assert_eq!(
        messages(&context, &library, &plain()),
        [
            "item is not loanable",
            "items cannot be renewed when there is an active recall request",
            "item is Aged to lost",
            "loan at maximum renewal number",
        ]
    );
}

#[test]
fn an_override_takes_permission_comment_and_reason() {
    let over = json!({"overrideBlocks": {"renewalBlock": {}}});
    assert_eq!(
        messages(&context(), &usual(), &command(over.clone(), &[])),
        [
            "Insufficient override permissions",
            "Override renewal request must have a comment"
        ]
    );
    let nothing = told(
        &context(),
        &usual(),
        &overriding(json!({"renewalBlock": {}})),
    );
    assert_eq!(
        nothing[0].message,
        "Override renewal does not match any of expected cases: item is not loanable, \
         item is not renewable, reached number of renewals limit,renewal date falls outside of the date \
         ranges in the loan policy, items cannot be renewed when there is an active recall request, \
         item is Declared lost, item is Aged to lost, renewal would not change the due date, \
         loan has reminder fees"
    );
    assert_eq!(
        nothing[0].code,
        Some("OVERRIDE_RENEWAL_NOT_ALLOWED_FOR_CURRENT_LOAN")
    );
    let patron = json!({"overrideBlocks": {"patronBlock": {}}});
    let refused = told(&context(), &usual(), &command(patron, &[]));
    let block = refused[0].block.expect("a block");
    assert_eq!(block.kind, BlockKind::Patron);
    assert!(block.permission_missing);
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
        (
            context(),
            json!({"renewable": false}),
            given(later),
            Ok("2026-08-01T10:00:00Z"),
        ),
        (
            context(),
            json!({"renewalsPolicy": {}}),
            given(later),
            Ok("2026-08-01T10:00:00Z"),
        ),
        // The computed date wins when it is later than the current one.
        (
            with_loan(json!({"renewalCount": 2})),
            json!({}),
            given(later),
            Ok("2026-06-26T23:59:59Z"),
        ),
        (
            with_request("Recall", json!({})),
            json!({}),
            json!({"renewalBlock": {}}),
            Ok("2026-06-26T23:59:59Z"),
        ),
        (
            with_loan(late.clone()),
            from_now.clone(),
            json!({"renewalBlock": {}}),
            Err("New due date is required when renewal would not change the due date"),
        ),
        (
            with_loan(late.clone()),
            from_now.clone(),
            given(later),
            Ok("2026-08-01T10:00:00Z"),
        ),
        (
            with_loan(late),
            from_now,
            given("2026-06-02T00:00:00Z"),
            Err("renewal would not change the due date"),
        ),
    ];
    for (context, policy, blocks, expected) in cases {
        let library = library(policy.clone(), json!({}));
        let command = overriding(blocks.clone());
        match (decide(&context, &library, &command, now()), expected) {
            (Ok(renewal), Ok(due)) => {
                assert_eq!(renewal.due, at(due), "{policy} {blocks}");
                assert_eq!(renewal.loan.text("action"), Some("renewedThroughOverride"));
                assert_eq!(renewal.loan.text("actionComment"), Some("because"));
            }
            (Err(NotRenewed::Refused(refusals)), Err(message)) => {
                assert_eq!(refusals.len(), 1);
                assert_eq!(refusals[0].told(&command).message, message);
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
    assert_eq!(
        renewal.fees.movements[0]["typeAction"],
        "Cancelled item renewed"
    );
    assert_eq!(renewal.loan.text("itemStatus"), Some("Checked out"));
    assert_eq!(
        renewal.loan.record["agedToLostDelayedBilling"],
        json!({"agedToLostDate": DUE})
    );
}

#[test]
fn a_patron_block_that_is_overridden_leaves_the_other_checks() {
    let mut context = with_loan(json!({"renewalCount": 2}));
    context.manual_blocks =
        serde_json::from_value(json!([{"desc": "Lost card", "renewals": true}])).expect("blocks");
    let over = overriding(json!({"patronBlock": {}}));
    assert_eq!(
        messages(&context, &usual(), &over),
        ["loan at maximum renewal number"]
    );
    context.loan = Some(loan(json!({})));
    let renewal = decide(&context, &usual(), &over, now()).expect("a renewal");
    assert_eq!(renewal.loan.text("action"), Some("renewedThroughOverride"));
}

#[test]
fn a_renewal_ends_before_the_registration_of_the_patron() {
    let soon = json!({"expirationDate": "2026-06-20T12:00:00Z"});
    let context = RenewalContext {
        borrower: serde_json::from_value(with(patron(READER), soon)).expect("a patron"),
        ..context()
    };
    let renewal = renewed(&context, &usual());
    assert_eq!(renewal.due, at("2026-06-20T12:00:00Z"));
    assert!(renewal.due_date_changed_by_near_expire_user);
}
