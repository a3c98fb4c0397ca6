//! What an explanation tells, branch by branch.

use super::*;
use crate::testing::request;

const WEEKS: &str = "END_OF_THE_NEXT_OPEN_DAY";

fn weeks(policy: Value) -> Configuration {
    library(with(json!({"loansPolicy": rolling(3, "Weeks", WEEKS)}), policy))
}

fn told(context: &CheckOutContext, library: &Configuration) -> Value {
    check_out(context, library, &command("2026-06-01T10:00:00Z"), now()).shown(library)
}

#[test]
fn a_due_date_follows_from_a_rule_a_period_and_a_closed_day() {
    let library = weeks(json!({}));
    let told = told(&found(json!({}), json!({})), &library);
    assert_eq!(told["facts"]["patronGroup"], json!({"id": STAFF, "name": "staff"}));
    assert_eq!(told["facts"]["materialType"]["name"], "book");
    let rule = &told["rules"][0];
    assert_eq!(rule["policy"], json!({"kind": "loan", "id": THREE_WEEKS, "name": "Three weeks"}));
    assert_eq!((&rule["line"], &rule["isFallback"]), (&json!(2), &json!(true)));
    let readable = rule["readable"].as_str().expect("a text");
    assert!(readable.starts_with("fallback-policy: l “Three weeks” r “All”"), "{readable}");
    let because: Vec<_> = told["dates"].as_array().expect("steps").iter().map(|date| &date["because"]).collect();
    assert_eq!(because, ["loanPeriod", "calendar"]);
    let calendar = &told["dates"][1];
    assert_eq!(
        (&calendar["strategy"], &calendar["from"]),
        (&json!("endOfNextOpenDay"), &json!("2026-06-22T10:00:00.000Z"))
    );
    assert_eq!(calendar["day"], json!({"date": "2026-06-22", "open": false, "exception": "Whit Monday", "hours": []}));
    assert_eq!(calendar["after"]["date"], "2026-06-23");
    assert_eq!(told["dueDate"], "2026-06-23T21:59:59.000Z");
    assert_eq!(told["refusals"], json!([]));
}

#[test]
fn a_rule_within_a_block_is_told_with_its_heads() {
    let mut library = weeks(json!({}));
    let policies = format!("l {THREE_WEEKS} r {REQUESTS} n {NOTICES} o {FINES} i {LOST}");
    let rules = format!(
        "priority: t, s, c, b, a, m, g\nfallback-policy: {policies}\nm {BOOK}\n    t all\n        g {STAFF}: {policies}"
    );
    library.rules =
        crate::configuration::Rules::Ready(crate::rules::Matcher::new(&crate::rules::parse(&rules).expect("rules")));
    library.rules_text = rules;
    let rule = told(&found(json!({}), json!({})), &library)["rules"][0].clone();
    assert_eq!((&rule["line"], &rule["isFallback"]), (&json!(5), &json!(false)));
    assert_eq!(rule["heads"], json!(["m “book”", "t all"]));
}

#[test]
fn refusals_name_the_policy_the_block_the_limit_or_the_request() {
    let library = weeks(json!({}));
    let mut context = found(json!({"materialTypeId": MAP}), json!({}));
    let patron = context.patron.as_mut().expect("a patron");
    patron.standing.open_loans = 6;
    patron.manual_blocks = vec![
        ManualBlock { desc: "Owes money".into(), borrowing: true, ..ManualBlock::default() },
        ManualBlock { desc: "Long ago".into(), renewals: true, ..ManualBlock::default() },
    ];
    context.requests = vec![parsed(request(9, OTHER_READER, 1))];
    let refusals = told(&context, &library)["refusals"].clone();
    let causes: Vec<_> =
        refusals.as_array().expect("a list").iter().map(|refusal| refusal["because"].clone()).collect();
    assert_eq!(
        causes,
        [
            json!({"cause": "manualBlocks", "blocks": [{"reason": "Owes money"}]}),
            json!({"cause": "blockLimit", "limit": 5.0, "has": 6.0, "condition": {"id": CHARGED_OUT, "name": "Maximum"}}),
            json!({"cause": "request", "requestId": Uuid::from_u128(9)}),
            json!({"cause": "policy", "policy": {"kind": "loan", "id": READING_ROOM, "name": "Reading room"}}),
        ]
    );
    let dvds = found(json!({"materialTypeId": DVD}), json!({}));
    let mut reached = dvds.clone();
    reached.patron.as_mut().expect("a patron").same_kind.material_type = 2;
    reached.requests.clone_from(&context.requests);
    let refusals = told(&reached, &library)["refusals"].clone();
    let request = json!({"cause": "request", "requestId": Uuid::from_u128(9)});
    let limit = json!({"cause": "itemLimit", "limit": 2.0, "has": 2.0,
        "policy": {"kind": "loan", "id": TWO_DVDS, "name": "Two DVDs"}});
    assert_eq!((&refusals[0]["because"], &refusals[1]["because"]), (&request, &limit));
}

#[test]
fn what_if_decides_for_other_facts() {
    let library = weeks(json!({}));
    let mut context = found(json!({}), json!({}));
    let what_if = WhatIf { material_type: Some(MAP), ..WhatIf::default() };
    what_if.check(&library).expect("known values");
    let Some(found) = &mut context.item else { panic!("an item") };
    what_if.change_item(&mut found.item);
    assert_eq!(told(&context, &library)["refusals"][0]["message"], "Item is not loanable");
    let unknown = WhatIf { material_type: Some(ITEM), location: Some(ITEM), ..WhatIf::default() };
    let refused = unknown.check(&library).expect_err("unknown values");
    assert_eq!(refused.to_string(), format!("materialTypeId {ITEM} does not exist\nlocationId {ITEM} does not exist"));
    let read = WhatIf::read(|member| (member == "loanTypeId").then_some("x"));
    assert!(read.expect_err("no id").message().starts_with("must match"));
}

#[test]
fn schedules_expiry_holds_and_staff_move_dates() {
    let schedule = json!({"loansPolicy": with(rolling(3, "Weeks", "CURRENT_DUE_DATE"),
        json!({"fixedDueDateScheduleId": SCHEDULE})),
        "requestManagement": {"holds": {"alternateCheckoutLoanPeriod": {"duration": 5, "intervalId": "Weeks"}}}});
    let library = library(schedule);
    let mut context = found(json!({}), json!({"expirationDate": "2026-06-10T12:00:00Z"}));
    context.requests = vec![parsed(request(1, READER, 1)), parsed(request(2, OTHER_READER, 2))];
    let because = |told: &Value| -> Vec<String> {
        let dates = told["dates"].as_array().expect("steps").iter();
        dates.map(|date| date["because"].as_str().expect("a reason").to_owned()).collect()
    };
    let steps = because(&told(&context, &library));
    assert_eq!(steps, ["loanPeriodForHolds", "scheduleCap", "calendar", "patronExpires"]);

    let mut by_staff = command("2026-06-01T10:00:00Z");
    by_staff.granted = Granted(vec![crate::blocks::BlockKind::ItemNotLoanable]);
    by_staff.overrides = Overrides::read(&json!({"comment": "c", "itemNotLoanableBlock": {"dueDate": "2026-07-01"}}));
    let explanation = check_out(&found(json!({}), json!({})), &library, &by_staff, now());
    let by = explanation.steps.iter().filter_map(|step| match step {
        Step::Date { by, .. } => Some(by),
        _ => None,
    });
    assert_eq!(by.collect::<Vec<_>>(), [&Mover::Staff]);
}

#[test]
fn a_due_date_changed_by_hand_is_told_with_what_the_rules_give() {
    let library = weeks(json!({}));
    let made = check_out::decide(&found(json!({}), json!({})), &library, &command("2026-06-01T10:00:00Z"), now());
    let lent = stamped(made.expect("a check-out").loan, now());
    let mut changed = lent.clone();
    changed.set_due_date(at("2026-06-11T21:59:59Z"));
    let changed = stamped(changed, at("2026-06-02T10:00:00Z"));
    let by: Patron = parsed(patron(LIBRARIAN));
    let records = LoanRecords {
        loan: changed.clone(),
        item: Some(out()),
        borrower: Some(parsed(patron(READER))),
        changes: vec![change(&lent, None), DueDateChange { by: Some(by), ..change(&changed, Some(&lent)) }],
    };
    let told = loan(&records, &library, &WhatIf::default()).shown(&library);
    let about = &told["loan"];
    assert_eq!(
        (&about["setBy"], &about["agrees"], &about["by"]),
        (&json!("staff"), &json!(false), &json!("Reader, One"))
    );
    assert_eq!(
        (&about["dueDate"], &told["dueDate"]),
        (&json!("2026-06-11T21:59:59.000Z"), &json!("2026-06-23T21:59:59.000Z"))
    );
    assert_eq!(about["earlier"][0]["setBy"], "checkOut");
    let shorter = WhatIf { material_type: Some(DVD), ..WhatIf::default() };
    assert_eq!(loan(&records, &library, &shorter).shown(&library)["dueDate"], "2026-06-08T21:59:59.000Z");

    // Rules that changed since: the loan keeps its date and policy, and the answer says that they differ.
    let records = LoanRecords { loan: lent.clone(), changes: vec![change(&lent, None)], ..records };
    let told = loan(&records, &weeks(json!({"loansPolicy": rolling(1, "Weeks", WEEKS)})), &WhatIf::default());
    assert!(!told.agrees());
    assert_eq!(told.shown(&library)["dueDate"], "2026-06-08T21:59:59.000Z");
}

#[test]
fn fees_by_hand_and_of_lost_items_are_told_with_their_policy() {
    let library = weeks(json!({}));
    let fee_of = |members: Value| {
        let account: crate::fees::account::Account = parsed(with(json!({"amount": 7}), members));
        fee(&FeeRecords { account, ..FeeRecords::default() }, &library, &WhatIf::default()).shown(&library)["fee"]
            .clone()
    };
    assert_eq!(fee_of(json!({}))["kind"], "byHand");
    let (lost, _) = crate::fees::changes::FeeKind::LostItem.named();
    let told = fee_of(json!({"feeFineId": lost, "lostItemFeePolicyId": LOST}));
    assert_eq!((&told["kind"], &told["policy"]["name"]), (&json!("lostItem"), &json!("No fees")));
    let (reminder, _) = crate::fees::changes::FeeKind::Reminder.named();
    let told = fee_of(json!({"feeFineId": reminder, "overdueFinePolicyId": FINES}));
    assert_eq!((&told["kind"], &told["policy"]["name"]), (&json!("reminder"), &json!("Fines")));
}
