//! Refusals of a renewal and their order.

use super::*;

#[test]
fn who_and_what_is_found_first() {
    let nobody = RenewalContext { item: None, ..context() };
    let expected: (&str, &str, &[&str], _) =
        ("No item with barcode i-1 exists", "ITEM_BARCODE_NOT_FOUND", &["itemBarcode"], None);
    assert_refused((&nobody, &usual()), expected);
    let gone = RenewalContext { borrower: None, ..context() };
    let expected: (&str, &str, &[&str], _) = ("user is not found", "USER_NOT_FOUND", &["userId"], None);
    assert_refused((&gone, &usual()), expected);
    let at_home = RenewalContext { loan: None, ..context() };
    let expected: (&str, &str, &[&str], _) =
        ("No open loan found for the item barcode. (i-1)", "ITEM_HAS_NO_OPEN_LOAN", &["itemBarcode"], None);
    assert_refused((&at_home, &usual()), expected);
    let other = command(json!({"userBarcode": "p-2"}), &[]);
    let told = told(&context(), &usual(), &other);
    assert_eq!(told[0].message, "Cannot renew item checked out to different user");
    assert_eq!(parameters(&told[0]), [("userBarcode", Some("p-2"))]);
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
        (json!({}), NamedBy::Id, "Renewal request must have an item ID", None),
        (json!({"itemId": ITEM}), NamedBy::Id, "Renewal request must have a user ID", None),
    ] {
        let refusal = read(body, by).expect_err("a refusal");
        let wording = refusal.wording();
        assert_eq!((wording.text, wording.code), (message, code));
    }
}

#[test]
fn by_id_another_borrower_is_told_with_the_rest() {
    let body = json!({"itemId": ITEM, "userId": OTHER_READER});
    let command = RenewalCommand::read(&body, NamedBy::Id, Granted::default());
    let context = with_loan(json!({"renewalCount": 2}));
    assert_eq!(
        messages(&context, &usual(), &command.expect("a command")),
        ["Cannot renew item checked out to different user", "loan at maximum renewal number"]
    );
}

#[test]
fn the_borrower_is_checked() {
    let borrower = |members: Value| RenewalContext {
        borrower: serde_json::from_value(with(patron(READER), members)).expect("a patron"),
        ..context()
    };
    for inactive in [json!({"active": false}), json!({"expirationDate": "2026-05-01T00:00:00Z"})] {
        let first = &told(&borrower(inactive), &usual(), &plain())[0];
        assert_eq!(first.message, "Cannot renew loan when user is inactive or expired");
        assert_eq!(first.code.as_deref(), Some("USER_IS_INACTIVE_OR_EXPIRED"));
    }
    let expected: (&str, &str, &[&str], _) =
        ("Cannot determine if user is active.", "USER_STATUS_CANNOT_BE_DETERMINED", &["reason"], None);
    assert_refused((&borrower(json!({"active": null})), &usual()), expected);
    let mut blocked = context();
    blocked.manual_blocks = serde_json::from_value(json!([
        {"desc": "Lost card", "renewals": true, "expirationDate": "2027-01-01T00:00:00Z"},
        {"desc": "Owes a book", "borrowing": true},
    ]))
    .expect("blocks");
    let expected: (&str, &str, &[&str], _) =
        ("Patron blocked from renewing", "USER_IS_BLOCKED_MANUALLY", &["reason"], Some("patronBlock"));
    assert_refused((&blocked, &usual()), expected);
    let limit = json!({"blockConditions": [{"id": CHARGED_OUT, "blockRenewals": true, "message": "Too many"}]});
    let mut many = context();
    many.standing.open_loans = 6;
    let expected: (&str, &str, &[&str], _) = ("Too many", "USER_IS_BLOCKED_AUTOMATICALLY", &[], Some("patronBlock"));
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
    type Case<'a> = (RenewalContext, Value, (&'a str, &'a str, &'a [&'a str], Option<&'a str>));
    let cases: Vec<Case<'_>> = vec![
        (context(), json!({"loanable": false}), ("item is not loanable", "ITEM_NOT_LOANABLE", of_policy, required)),
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
            ("item is Aged to lost", "ITEM_AGED_TO_LOST_NOT_RENEWABLE", &["itemId"], Some("renewalBlock")),
        ),
        (
            item_in("Declared lost"),
            json!({}),
            ("item is Declared lost", "ITEM_DECLARED_LOST_NOT_RENEWABLE", &["itemId"], Some("renewalBlock")),
        ),
        (
            with_loan(json!({"renewalCount": 2})),
            json!({}),
            ("loan at maximum renewal number", "LOAN_RENEWAL_LIMIT_REACHED", of_policy, Some("renewalBlock")),
        ),
        (context(), json!({"renewable": false}), ("loan is not renewable", "LOAN_NOT_RENEWABLE", of_policy, required)),
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
            ("item is Claimed returned", "ITEM_CLAIMED_RETURNED_NOT_RENEWABLE", &["itemId"], None),
        ),
        (
            with_loan(json!({"dueDate": "2026-06-30T23:59:59.000+00:00"})),
            json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE"}}),
            ("renewal would not change the due date", "RENEWAL_WOULD_NOT_CHANGE_DUE_DATE", of_policy, required),
        ),
        (
            context(),
            json!({"renewalsPolicy": {"unlimited": true}}),
            ("cannot determine when to renew from", "LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED", of_policy, required),
        ),
    ];
    for (context, policy, expected) in cases {
        assert_refused((&context, &library(policy, json!({}))), expected);
    }
    // With an alternate renewal period, a pending hold does not block renewal where the policy allows it.
    let allowed =
        library(holds(json!({"renewItemsWithRequest": true, "alternateRenewalLoanPeriod": period})), json!({}));
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
    let library = library(json!({"loanable": false, "renewalsPolicy": {"numberAllowed": 1}}), json!({}));
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
