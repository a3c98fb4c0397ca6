//! Check-outs: each check alone, several at once, and what a loan changes.

use serde_json::{Value, json};

use super::*;
use crate::{blocks::Granted, refusal::Told, testing::*};

/// A reader borrows an available book; the tests change what they are about.
fn context() -> CheckOutContext {
    CheckOutContext {
        item: Some(FoundItem {
            item: serde_json::from_value(item()).expect("an item"),
            instance: serde_json::from_value(instance()).expect("an instance"),
            has_open_loan: false,
        }),
        patron: Some(FoundPatron {
            patron: serde_json::from_value(patron(READER)).expect("a patron"),
            ..FoundPatron::default()
        }),
        ..CheckOutContext::default()
    }
}

fn body() -> Value {
    json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": DESK})
}

fn command(more: Value, granted: &[BlockKind]) -> CheckOutCommand {
    let granted = Granted(granted.to_vec());
    CheckOutCommand::read(&with(body(), more), granted, false, now()).expect("a command")
}

fn refusals(context: &CheckOutContext, command: &CheckOutCommand) -> Vec<Told> {
    match decide(context, &configuration(), command, now()) {
        Err(NotLent::Refused(refusals)) => refusals.iter().map(|r| r.told(command)).collect(),
        other => panic!("expected refusals, got {other:?}"),
    }
}

fn lent(context: &CheckOutContext, command: &CheckOutCommand) -> Lending {
    decide(context, &configuration(), command, now()).expect("a loan")
}

fn change_item(context: &mut CheckOutContext, members: Value) {
    let found = context.item.as_mut().expect("an item");
    found.item = serde_json::from_value(with(item(), members)).expect("an item");
}

fn change_patron(context: &mut CheckOutContext, members: Value) {
    let found = context.patron.as_mut().expect("a patron");
    found.patron = serde_json::from_value(with(patron(READER), members)).expect("a patron");
}

fn messages(context: &CheckOutContext, command: &CheckOutCommand) -> Vec<String> {
    refusals(context, command)
        .into_iter()
        .map(|told| told.message)
        .collect()
}

#[test]
fn nothing_speaks_against_a_plain_loan() {
    let lending = lent(&context(), &command(json!({"id": "ignored"}), &[]));
    let record = Value::Object(lending.loan.record);
    assert_eq!(
        record,
        json!({
            "userId": READER, "itemId": ITEM, "itemEffectiveLocationIdAtCheckOut": STACKS,
            "status": {"name": "Open"}, "loanDate": "2026-06-01T10:00:00.000Z",
            "dueDate": "2026-06-22T23:59:59.000+00:00", "action": "checkedout", "itemStatus": "Checked out",
            "loanPolicyId": THREE_WEEKS, "checkoutServicePointId": DESK, "patronGroupIdAtCheckout": STAFF,
            "isDcb": false, "overdueFinePolicyId": FINES, "lostItemPolicyId": LOST,
        })
    );
    assert_eq!(
        lending.queue,
        crate::requests::queue::QueueChange::default()
    );
}

#[test]
fn the_patron_and_the_desk_are_checked() {
    type Change = fn(&mut CheckOutContext);
    type Case = (
        Change,
        Value,
        &'static str,
        Option<&'static str>,
        &'static str,
        Option<&'static str>,
    );
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
        (
            |c| c.item = None,
            json!({}),
            "No item with barcode i-1 could be found",
            None,
            "itemBarcode",
            Some("i-1"),
        ),
    ];
    for (change, more, message, code, key, value) in cases {
        let mut context = context();
        change(&mut context);
        let expected = Told {
            message: message.to_owned(),
            code,
            parameters: vec![(key, value.map(str::to_owned))],
            block: None,
        };
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
        (
            vec![leave("Active", Some("2026-05-01")), leave("Active", None)],
            true,
        ),
        (vec![leave("active", Some("2027-05-01"))], true),
    ] {
        context.proxy = proxy(OTHER_READER, json!({}));
        context.proxy_relationships = relationships;
        let decided = decide(&context, &configuration(), &by_proxy, now());
        assert_eq!(
            decided.is_ok(),
            allowed,
            "{:?}",
            context.proxy_relationships
        );
    }
    context.proxy = proxy(READER, json!({}));
    let told = refusals(&context, &by_proxy).remove(0);
    assert_eq!(told.message, "User cannot be proxy for themselves");
    assert_eq!(told.code, Some("USER_CANNOT_BE_PROXY_FOR_THEMSELVES"));
    assert_eq!(told.parameters, [("proxyUserId", Some(READER.to_string()))]);
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
        assert!(
            decide(&context, &configuration(), &command(json!({}), &[]), now()).is_ok(),
            "{status}"
        );
    }
    for status in [
        "Declared lost",
        "Claimed returned",
        "Aged to lost",
        "Intellectual item",
    ] {
        let mut context = context();
        change_item(&mut context, json!({"status": {"name": status}}));
        let expected = format!(
            "A title (book) (Barcode: i-1) has the item status {status} and cannot be checked out"
        );
        assert_eq!(messages(&context, &command(json!({}), &[])), [expected]);
    }
}

#[test]
fn all_refusals_come_together_in_their_order() {
    let mut context = context();
    change_item(
        &mut context,
        json!({"status": {"name": "Checked out"}, "materialTypeId": MAP}),
    );
    context.item.as_mut().expect("an item").has_open_loan = true;
    let found = context.patron.as_mut().expect("a patron");
    found.standing.open_loans = 5;
    found.manual_blocks = vec![
        ManualBlock {
            desc: "Owes money".into(),
            borrowing: true,
            expiration_date: None,
            ..ManualBlock::default()
        },
        ManualBlock {
            desc: "Lost card".into(),
            borrowing: false,
            expiration_date: None,
            ..ManualBlock::default()
        },
    ];
    change_patron_only(&mut context);
    context.requests =
        vec![serde_json::from_value(request(1, OTHER_READER, 1)).expect("a request")];
    let told = refusals(
        &context,
        &command(json!({"servicePointId": null}), &[BlockKind::Patron]),
    );
    let seen: Vec<(&str, Option<&str>)> = told
        .iter()
        .map(|told| (told.message.as_str(), told.code))
        .collect();
    assert_eq!(
        seen,
        [
            ("Check out must be performed at a service point", None),
            (
                "Patron blocked from borrowing",
                Some("USER_IS_BLOCKED_MANUALLY")
            ),
            ("Too many items", Some("USER_IS_BLOCKED_AUTOMATICALLY")),
            ("Cannot check out to inactive user", None),
            ("Item is already checked out", None),
            (
                "Cannot check out item that already has an open loan",
                Some("ITEM_HAS_OPEN_LOAN")
            ),
            (
                "A title (Barcode: i-1) cannot be checked out to user Reader, One \
              because it has been requested by another patron",
                None
            ),
            ("Item is not loanable", Some("ITEM_NOT_LOANABLE")),
        ]
    );
    assert_eq!(
        told[1].parameters,
        [("reason", Some("Owes money;Lost card".to_owned()))]
    );
    let blocks: Vec<Value> = told
        .iter()
        .filter_map(|t| t.block)
        .map(|b| b.to_json())
        .collect();
    let patron_block = json!({"name": "patronBlock", "missingPermissions": []});
    let not_loanable = json!({"name": "itemNotLoanableBlock",
        "missingPermissions": ["circulation.override-item-not-loanable-block.post"]});
    assert_eq!(blocks, [patron_block.clone(), patron_block, not_loanable]);
    let policy: Vec<_> = told[7].parameters.iter().map(|(key, _)| *key).collect();
    assert_eq!(policy, ["itemBarcode", "loanPolicyId", "loanPolicyName"]);
}

/// Makes the patron inactive without touching blocks and loans.
fn change_patron_only(context: &mut CheckOutContext) {
    change_patron(context, json!({"active": false}));
}

#[test]
fn missing_facts_stop_at_once_with_folios_text() {
    for (member, text) in [
        (
            "effectiveLocationId",
            "to an item with null value as locationId",
        ),
        (
            "materialTypeId",
            "to an item with null value as materialTypeId",
        ),
        (
            "permanentLoanTypeId",
            "to an item which loan type can not be determined",
        ),
    ] {
        let mut context = context();
        change_item(
            &mut context,
            json!({member: null, "status": {"name": "Checked out"}}),
        );
        let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
        let expected = NotLent::RulesFailed(format!("Unable to apply circulation rules {text}"));
        assert_eq!(decided, Err(expected));
    }
    let mut context = context();
    change_patron(&mut context, json!({"patronGroup": null}));
    let text = "Unable to apply circulation rules to a user with null value as patronGroupId";
    let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
    assert_eq!(decided, Err(NotLent::RulesFailed(text.to_owned())));
}

#[test]
fn rules_that_cannot_be_applied_are_told() {
    for (rules, text) in [
        (
            String::new(),
            "Cannot apply blank circulation rules".to_owned(),
        ),
        (
            rules().replace(&THREE_WEEKS.to_string(), &NOBODY.to_string()),
            format!("Loan policy {NOBODY} could not be found, please check circulation rules"),
        ),
    ] {
        let configuration = Configuration::read(1, &with(records(), json!({"rules": rules})));
        let decided = decide(&context(), &configuration, &command(json!({}), &[]), now());
        assert_eq!(decided, Err(NotLent::RulesFailed(text)));
    }
}

#[test]
fn a_limit_of_items_counts_what_the_rule_tests() {
    for (material_type, both, refused) in [(1, 9, false), (2, 0, true), (3, 0, true)] {
        let mut context = context();
        change_item(&mut context, json!({"materialTypeId": DVD}));
        let found = context.patron.as_mut().expect("a patron");
        found.same_kind = SameKind {
            any: 9,
            material_type,
            loan_type: 9,
            both,
        };
        let command = command(json!({}), &[]);
        let decided = decide(&context, &configuration(), &command, now());
        assert_eq!(decided.is_err(), refused, "{material_type}");
        if refused {
            let told = refusals(&context, &command).remove(0);
            let tail = "combination of patron group and material type";
            let message = format!("Patron has reached maximum limit of 2 items for {tail}");
            assert_eq!(told.message, message);
            assert_eq!(told.code, Some("ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE"));
            let parameters = [
                ("itemBarcode", Some("i-1".into())),
                ("itemLimit", Some("2".into())),
            ];
            assert_eq!(told.parameters, parameters);
        }
    }
}

#[test]
fn every_kind_of_limit_has_its_own_words() {
    for ((g, m, t), code, tail) in [
        (
            (true, true, true),
            "PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE",
            "combination of patron group, material type and loan type",
        ),
        (
            (true, true, false),
            "PATRON_GROUP_MATERIAL_TYPE",
            "combination of patron group and material type",
        ),
        (
            (true, false, true),
            "PATRON_GROUP_LOAN_TYPE",
            "combination of patron group and loan type",
        ),
        (
            (false, true, true),
            "MATERIAL_TYPE_LOAN_TYPE",
            "combination of material type and loan type",
        ),
        ((false, true, false), "MATERIAL_TYPE", "material type"),
        ((false, false, true), "LOAN_TYPE", "loan type"),
    ] {
        let conditions = AppliedRuleConditions {
            material_type: m,
            loan_type: t,
            patron_group: g,
        };
        let kind = Limit::of(conditions).expect("a limit");
        let told = CheckOutRefusal::ItemLimit { limit: 4, kind }.told(&command(json!({}), &[]));
        assert_eq!(told.code, Some(format!("ITEM_LIMIT_{code}").as_str()));
        assert_eq!(
            told.message,
            format!("Patron has reached maximum limit of 4 items for {tail}")
        );
    }
    let only_group = AppliedRuleConditions {
        patron_group: true,
        ..Default::default()
    };
    assert_eq!(Limit::of(only_group), None);
}

fn blocked() -> CheckOutContext {
    let mut context = context();
    let found = context.patron.as_mut().expect("a patron");
    found.standing.open_loans = 5;
    found.manual_blocks = vec![ManualBlock {
        desc: "Owes money".into(),
        borrowing: true,
        expiration_date: None,
        ..ManualBlock::default()
    }];
    context
}

#[test]
fn manual_blocks_hold_until_they_expire() {
    for (expires, borrowing, refused) in [
        (None, true, true),
        (Some("2026-06-02"), true, true),
        (Some("2026-05-31"), true, false),
        (None, false, false),
    ] {
        let mut context = context();
        let expiration_date = expires.map(str::to_owned);
        let block = ManualBlock {
            desc: "Owes money".into(),
            borrowing,
            expiration_date,
            ..ManualBlock::default()
        };
        context.patron.as_mut().expect("a patron").manual_blocks = vec![block];
        let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
        assert_eq!(decided.is_err(), refused, "{expires:?} {borrowing}");
    }
}

#[test]
fn overrides_need_permission_and_a_comment() {
    let patron_block = json!({"overrideBlocks": {"patronBlock": {}}});
    let commented = json!({"overrideBlocks": {"patronBlock": {}, "comment": "Agreed"}});
    let told = refusals(&blocked(), &command(commented.clone(), &[]));
    assert_eq!(told.len(), 1, "told once for both checks that it skips");
    assert_eq!(told[0].message, "Insufficient override permissions");
    assert_eq!(told[0].code, Some("INSUFFICIENT_OVERRIDE_PERMISSIONS"));
    let block = json!({"name": "patronBlock",
        "missingPermissions": ["circulation.override-patron-block.post"]});
    assert_eq!(told[0].block.map(|b| b.to_json()), Some(block));
    let expected = ["Override should be performed with the comment specified"];
    assert_eq!(
        messages(&blocked(), &command(patron_block, &[BlockKind::Patron])),
        expected
    );
    let lending = lent(&blocked(), &command(commented, &[BlockKind::Patron]));
    assert_eq!(
        lending.loan.text("action"),
        Some("checkedOutThroughOverride")
    );
    assert_eq!(lending.loan.text("actionComment"), Some("Agreed"));
    assert_eq!(
        lending.loan.text("dueDate"),
        Some("2026-06-22T23:59:59.000+00:00")
    );
}

#[test]
fn an_item_that_is_not_lent_needs_a_due_date_to_be_lent() {
    let mut context = context();
    change_item(&mut context, json!({"materialTypeId": MAP}));
    let override_until = |due: Value| {
        let blocks = json!({"itemNotLoanableBlock": {"dueDate": due}, "comment": "Agreed"});
        command(
            json!({"overrideBlocks": blocks}),
            &[BlockKind::ItemNotLoanable],
        )
    };
    for (due, expected) in [
        (
            Value::Null,
            "Override should be performed with due date specified",
        ),
        (
            json!("2026-06-01T10:00:00Z"),
            "Due date should be later than loan date",
        ),
    ] {
        assert_eq!(messages(&context, &override_until(due)), [expected]);
    }
    let lending = lent(
        &context,
        &override_until(json!("2026-06-03T12:30:00+02:00")),
    );
    assert_eq!(
        lending.loan.text("dueDate"),
        Some("2026-06-03T10:30:00.000+00:00")
    );
}

#[test]
fn a_forced_policy_replaces_the_rules() {
    let forced = |id: Uuid| command(json!({"forceLoanPolicyId": id}), &[]);
    let mut context = context();
    change_item(&mut context, json!({"materialTypeId": MAP}));
    let lending = lent(&context, &forced(THREE_WEEKS));
    assert_eq!(lending.loan.id_of("loanPolicyId"), Some(THREE_WEEKS));
    let told = refusals(&context, &forced(NOBODY)).remove(0);
    assert_eq!(told.message, "Item is not loanable");
    assert_eq!(told.parameters[2], ("loanPolicyName", None));
}

#[test]
fn the_patrons_own_request_at_the_head_is_filled() {
    let queued = |value| serde_json::from_value(value).expect("a request");
    let mut context = context();
    let delivery = json!({"fulfillmentPreference": "Pigeon post"});
    let not_fulfillable = {
        let mut row = request(4, OTHER_READER, 1);
        row["request"] = with(row["request"].clone(), delivery);
        row
    };
    context.requests = vec![
        queued(request(2, OTHER_READER, 3)),
        queued(request(1, READER, 2)),
        queued(not_fulfillable),
    ];
    let lending = lent(&context, &command(json!({}), &[]));
    assert_eq!(lending.queue.filled, Some(Uuid::from_u128(1)));
    assert_eq!(
        lending.queue.moved,
        [crate::requests::queue::Moved {
            id: Uuid::from_u128(2),
            position: 2
        }]
    );
}

#[test]
fn a_recall_that_waits_brings_the_due_date_forward() {
    let mut row = request(2, OTHER_READER, 2);
    row["request"]["requestType"] = "Recall".into();
    let mut context = context();
    context.requests = vec![
        serde_json::from_value(request(1, READER, 1)).expect("a request"),
        serde_json::from_value(row).expect("a request"),
    ];
    let lending = lent(&context, &command(json!({}), &[]));
    assert_eq!(
        lending.loan.record.get("dueDateChangedByRecall"),
        Some(&json!(true))
    );
    assert_eq!(
        lending.loan.text("dueDate"),
        Some("2026-06-01T23:59:59.000+00:00")
    );
}

#[test]
fn title_level_requests_count_only_when_they_are_allowed() {
    let mut row = request(1, OTHER_READER, 1);
    row["request"] = with(
        row["request"].clone(),
        json!({"requestLevel": "Title", "itemId": null}),
    );
    let mut context = context();
    context.requests = vec![serde_json::from_value(row).expect("a request")];
    for (allowed, refused) in [(false, false), (true, true)] {
        let records = with_titles(records(), allowed);
        let configuration = Configuration::read(1, &records);
        let decided = decide(&context, &configuration, &command(json!({}), &[]), now());
        assert_eq!(decided.is_err(), refused, "title-level requests: {allowed}");
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
        (json!([]), Malformed::NotAnObject),
        (json!("text"), Malformed::NotAnObject),
        (json!({"loanDate": "yesterday"}), Malformed::LoanDate),
        (
            json!({"servicePointId": "desk"}),
            Malformed::Id("servicePointId"),
        ),
        (
            json!({"forceLoanPolicyId": "1"}),
            Malformed::Id("forceLoanPolicyId"),
        ),
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
        if let Err(NotLent::Refused(refusals)) = decided {
            let told = refusals[0].told(&command(json!({}), &[]));
            assert_eq!(told.message, "unable to acquire lock");
            assert_eq!(told.parameters, [("", Some(String::new()))]);
        }
    }
}

#[test]
fn items_of_a_kind_are_counted_only_when_a_limit_is_near() {
    for (material_type, open_loans, members, near) in [
        (Some(DVD), 1, json!({}), false),
        (Some(DVD), 2, json!({}), true),
        (
            Some(DVD),
            500,
            json!({"forceLoanPolicyId": THREE_WEEKS}),
            false,
        ),
        (None, 500, json!({}), false),
    ] {
        let mut context = context();
        if let Some(material_type) = material_type {
            change_item(&mut context, json!({"materialTypeId": material_type}));
        }
        let found = context.patron.as_mut().expect("a patron");
        found.open_loans = open_loans;
        let command = command(members, &[]);
        assert_eq!(
            limit_is_near(&context, &configuration(), &command),
            near,
            "{material_type:?} {open_loans}"
        );
    }
}

#[test]
fn an_item_is_read_in_the_library_where_operator_and_policy_say_so() {
    let in_use = json!({"status": "In use", "statusDate": "2026-06-01T10:00:00.000+00:00"});
    for (switched_on, policy, expected) in [
        (true, json!(true), Some(&in_use)),
        (true, json!(false), None),
        (true, Value::Null, None),
        (false, json!(true), None),
    ] {
        let mut records = records();
        records["loanPolicies"][0]["loansPolicy"]["forUseAtLocation"] = policy.clone();
        let library = Configuration {
            use_at_location: switched_on,
            ..Configuration::read(1, &records)
        };
        let command = command(json!({}), &[]);
        let lent = decide(&context(), &library, &command, now()).expect("a loan");
        let usage = lent.loan.record.get("forUseAtLocation");
        assert_eq!(usage, expected, "{switched_on} {policy}");
        assert_eq!(lent.loan.text("action"), Some("checkedout"));
    }
}
