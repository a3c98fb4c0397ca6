//! Refusals of a check-out, and their order.

use super::*;

#[test]
fn the_patron_and_the_desk_are_checked() {
    type Change = fn(&mut CheckOutContext);
    type Case = (Change, Value, &'static str, Option<&'static str>, &'static str, Option<&'static str>);
    let cases: [Case; 7] = [
        (
            |_| {},
            json!({"servicePointId": ""}),
            "Check out must be performed at a service point",
            None,
            "servicePointId",
            None,
        ),
        (
            |c| c.patron = None,
            json!({}),
            "Could not find user with matching barcode",
            Some("USER_BARCODE_NOT_FOUND"),
            "userBarcode",
            Some("p-1"),
        ),
        (
            |_| {},
            json!({"proxyUserBarcode": "p-2"}),
            "Could not find user with matching barcode",
            Some("USER_BARCODE_NOT_FOUND"),
            "proxyUserBarcode",
            Some("p-2"),
        ),
        (
            |c| change_patron(c, json!({"active": false})),
            json!({}),
            "Cannot check out to inactive user",
            None,
            "userBarcode",
            Some("p-1"),
        ),
        (
            |c| change_patron(c, json!({"expirationDate": "2026-05-31"})),
            json!({}),
            "Cannot check out to inactive user",
            None,
            "userBarcode",
            Some("p-1"),
        ),
        (
            |c| change_patron(c, json!({"active": null})),
            json!({}),
            "Cannot determine if user is active or not",
            None,
            "userBarcode",
            Some("p-1"),
        ),
        (|c| c.item = None, json!({}), "No item with barcode i-1 could be found", None, "itemBarcode", Some("i-1")),
    ];
    for (change, more, message, code, key, value) in cases {
        let mut context = context();
        change(&mut context);
        let expected = ErrorEntry { code: code.map(str::to_owned), ..ErrorEntry::plain(message, key, value) };
        assert_eq!(refusals(&context, &command(more, &[])), [expected]);
    }
}

#[test]
fn proxies_need_leave() {
    let by_proxy = command(json!({"proxyUserBarcode": "p-2"}), &[]);
    let proxy = |id, members| serde_json::from_value(with(patron(id), members)).ok();
    let leave = |status: &str, expires: Option<&str>| ProxyRelationship {
        status: Some(status.to_owned()),
        expiration_date: expires.map(str::to_owned),
    };
    let mut context = context();
    for (relationships, allowed) in [
        (vec![], false),
        (vec![leave("Inactive", None)], false),
        (vec![leave("Active", Some("2026-05-01"))], false),
        (vec![leave("Active", Some("2026-05-01")), leave("Active", None)], true),
        (vec![leave("active", Some("2027-05-01"))], true),
    ] {
        context.proxy = proxy(OTHER_READER, json!({}));
        context.proxy_relationships = relationships;
        let decided = decide(&context, &configuration(), &by_proxy, now());
        assert_eq!(decided.is_ok(), allowed, "{:?}", context.proxy_relationships);
    }
    context.proxy = proxy(READER, json!({}));
    let told = refusals(&context, &by_proxy).remove(0);
    assert_eq!(told.message, "User cannot be proxy for themselves");
    let code = told.code.as_deref();
    assert_eq!(code, Some("USER_CANNOT_BE_PROXY_FOR_THEMSELVES"));
    let reader = READER.to_string();
    assert_eq!(parameters(&told), [("proxyUserId", Some(reader.as_str()))]);
    context.proxy = proxy(OTHER_READER, json!({"active": false}));
    let expected = ["Cannot check out via inactive proxying user"];
    assert_eq!(messages(&context, &by_proxy), expected);
}

#[test]
fn items_are_refused_by_status_only_when_folio_does() {
    for status in [
        "Available",
        "Missing",
        "Withdrawn",
        "Lost and paid",
        "On order",
        "In process",
        "Restricted",
        "Unavailable",
        "Awaiting pickup",
        "In transit",
        "Paged",
        "Long missing",
        "Unknown",
    ] {
        let mut context = context();
        change_item(&mut context, json!({"status": {"name": status}}));
        assert!(decide(&context, &configuration(), &command(json!({}), &[]), now()).is_ok(), "{status}");
    }
    for status in ["Declared lost", "Claimed returned", "Aged to lost", "Intellectual item"] {
        let mut context = context();
        change_item(&mut context, json!({"status": {"name": status}}));
        let expected = format!("A title (book) (Barcode: i-1) has the item status {status} and cannot be checked out");
        assert_eq!(messages(&context, &command(json!({}), &[])), [expected]);
    }
}

#[test]
fn all_refusals_come_together_in_their_order() {
    let mut context = context();
    change_item(&mut context, json!({"status": {"name": "Checked out"}, "materialTypeId": MAP}));
    context.item.as_mut().expect("an item").has_open_loan = true;
    let found = context.patron.as_mut().expect("a patron");
    found.standing.open_loans = 5;
    found.manual_blocks = vec![
        ManualBlock { desc: "Owes money".into(), borrowing: true, expiration_date: None, ..ManualBlock::default() },
        ManualBlock { desc: "Lost card".into(), borrowing: false, expiration_date: None, ..ManualBlock::default() },
    ];
    change_patron_only(&mut context);
    context.requests = vec![serde_json::from_value(request(1, OTHER_READER, 1)).expect("a request")];
    let told = refusals(&context, &command(json!({"servicePointId": null}), &[BlockKind::Patron]));
    let seen: Vec<(&str, Option<&str>)> =
        told.iter().map(|told| (told.message.as_str(), told.code.as_deref())).collect();
    assert_eq!(
        seen,
        [
            ("Check out must be performed at a service point", None),
            ("Patron blocked from borrowing", Some("USER_IS_BLOCKED_MANUALLY")),
            ("Too many items", Some("USER_IS_BLOCKED_AUTOMATICALLY")),
            ("Cannot check out to inactive user", None),
            ("Item is already checked out", None),
            ("Cannot check out item that already has an open loan", Some("ITEM_HAS_OPEN_LOAN")),
            (
                "A title (Barcode: i-1) cannot be checked out to user Reader, One \
              because it has been requested by another patron",
                None
            ),
            ("Item is not loanable", Some("ITEM_NOT_LOANABLE")),
        ]
    );
    assert_eq!(parameters(&told[1]), [("reason", Some("Owes money;Lost card"))]);
    let blocks: Vec<Value> = told.iter().filter_map(|t| t.overridable_block).map(|b| b.to_json()).collect();
    let patron_block = json!({"name": "patronBlock", "missingPermissions": []});
    let not_loanable = json!({"name": "itemNotLoanableBlock",
        "missingPermissions": ["circulation.override-item-not-loanable-block.post"]});
    assert_eq!(blocks, [patron_block.clone(), patron_block, not_loanable]);
    let policy: Vec<_> = told[7].parameters.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(policy, ["itemBarcode", "loanPolicyId", "loanPolicyName"]);
}

/// Makes the patron inactive and leaves blocks and loans as they are.
fn change_patron_only(context: &mut CheckOutContext) {
    change_patron(context, json!({"active": false}));
}

#[test]
fn missing_facts_stop_at_once_with_folios_text() {
    for (member, text) in [
        ("effectiveLocationId", "to an item with null value as locationId"),
        ("materialTypeId", "to an item with null value as materialTypeId"),
        ("permanentLoanTypeId", "to an item which loan type can not be determined"),
    ] {
        let mut context = context();
        change_item(&mut context, json!({member: null, "status": {"name": "Checked out"}}));
        let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
        let expected = not_applicable(format!("Unable to apply circulation rules {text}"));
        assert_eq!(decided, Err(expected.into()));
    }
    let mut context = context();
    change_patron(&mut context, json!({"patronGroup": null}));
    let text = "Unable to apply circulation rules to a user with null value as patronGroupId";
    let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
    assert_eq!(decided, Err(not_applicable(text).into()));
}

#[test]
fn rules_that_cannot_be_applied_are_told() {
    for (rules, text) in [
        (String::new(), "Cannot apply blank circulation rules".to_owned()),
        (
            rules().replace(&THREE_WEEKS.to_string(), &NOBODY.to_string()),
            format!("Loan policy {NOBODY} could not be found, please check circulation rules"),
        ),
    ] {
        let configuration = Configuration::read(1, &with(records(), json!({"rules": rules})));
        let decided = decide(&context(), &configuration, &command(json!({}), &[]), now());
        assert_eq!(decided, Err(not_applicable(text).into()));
    }
}

#[test]
fn a_dry_run_makes_the_same_checks_but_for_the_desk() {
    let read = |body: Value| CheckOutCommand::read(&body, Granted::default(), true, now());
    let dry = read(json!({"itemBarcode": "i-1", "userBarcode": "p-1"})).expect("a command");
    let (context, configuration) = (context(), configuration());
    let admission = admit(&context, &configuration, &dry, now()).expect("an admission");
    assert_eq!(admission.loan_policy.id, THREE_WEEKS);
    assert_eq!(admission.overdue_fine_policy_id, FINES);
    assert_eq!(admission.lost_item_policy_id, LOST);
    assert_eq!(admission.notice_policy_id, NOTICES);
    assert!(admit(&blocked(), &configuration, &dry, now()).is_err());
}

#[test]
fn bodies_that_are_none_are_told_apart() {
    let read = |body: Value| CheckOutCommand::read(&body, Granted::default(), false, now());
    for (body, fault) in [
        (json!([]), NOT_AN_OBJECT.into()),
        (json!("text"), NOT_AN_OBJECT.into()),
        (json!({"loanDate": "yesterday"}), refusal::LOAN_DATE_INVALID.into()),
        (json!({"servicePointId": "desk"}), not_an_id("servicePointId")),
        (json!({"forceLoanPolicyId": "1"}), not_an_id("forceLoanPolicyId")),
    ] {
        assert_eq!(read(body), Err(fault));
    }
    let numbers = read(json!({"itemBarcode": 42, "loanDate": "2026-05-01T01:00:00.000+02:00"}));
    let command = numbers.expect("a command");
    assert_eq!(command.item_barcode.as_deref(), Some("42"));
    assert_eq!(command.loan_date_text, "2026-05-01T01:00:00.000+02:00");
}

#[test]
fn a_locked_patron_borrows_nothing_while_locks_count() {
    let mut context = context();
    context.patron.as_mut().expect("a patron").locked = true;
    for (enabled, refused) in [(false, false), (true, true)] {
        let lock = json!({"checkOutLockFeatureEnabled": enabled}).to_string();
        let configuration = Configuration::read(1, &with(records(), json!({"checkOutLock": lock})));
        let decided = decide(&context, &configuration, &command(json!({}), &[]), now());
        assert_eq!(decided.is_err(), refused, "locks count: {enabled}");
        if let Err(refused) = decided {
            let expected = ErrorEntry::plain("unable to acquire lock", "", Some(""));
            assert_eq!(refused.entries(), [expected]);
        }
    }
}
