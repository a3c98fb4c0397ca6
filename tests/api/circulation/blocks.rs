//! `/automated-patron-blocks` and `/user-summary`.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{LendingLibrary, id};

pub(super) const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";
const OVERDUE: &str = "584fbd4f-6a34-4730-a6ca-73a6a6a9d845";
const LOST: &str = "72b67965-5b73-4840-bc0b-be8f3f6e047e";
const OVERDUE_RECALLS: &str = "e5b45031-a202-4abb-917b-e1df9346fe2c";
const RECALL_DAYS: &str = "08530ac4-07f2-48e6-9dda-a97bc2bf7053";
const BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/// The condition blocks borrowing and renewals from this value on.
pub(super) async fn limit(library: &LendingLibrary, condition: &str, value: Value) {
    blocking(library, condition, [true, true, false]).await;
    let limit =
        json!({"id": uuid::Uuid::new_v4(), "patronGroupId": library.group, "conditionId": condition, "value": value});
    library.desk.create("/patron-block-limits", &limit).await;
}

/// What the condition blocks: borrowing, renewals, requests.
async fn blocking(library: &LendingLibrary, condition: &str, flags: [bool; 3]) {
    let path = format!("/patron-block-conditions/{condition}");
    let mut record = library.desk.get(&path).await.expect(200).json();
    for (member, flag) in ["blockBorrowing", "blockRenewals", "blockRequests"].into_iter().zip(flags) {
        record[member] = flag.into();
    }
    record["message"] = match flags.contains(&true) {
        true => format!("Blocked by {condition}").into(),
        false => "".into(),
    };
    library.desk.put(&path, &record).await.expect(204);
}

pub(super) async fn blocks(library: &LendingLibrary, patron: &str) -> Value {
    let answer = library.desk.get(&format!("/automated-patron-blocks/{patron}")).await.expect(200);
    answer.json()["automatedPatronBlocks"].clone()
}

#[tokio::test]
async fn items_charged_out_block_borrowing_at_the_limit_and_renewals_above_it() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, CHARGED_OUT, json!(1)).await;
    library.item("i-1", json!({})).await;
    library.item("i-2", json!({})).await;
    assert_eq!(blocks(&library, &patron).await, json!([]));
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let block = json!({"patronBlockConditionId": CHARGED_OUT, "blockBorrowing": true, "blockRenewals": false,
        "blockRequests": false, "message": format!("Blocked by {CHARGED_OUT}")});
    assert_eq!(blocks(&library, &patron).await, json!([block]));
    let answer = library.check_out("i-2", "p-1", json!({})).await.expect(422);
    assert_eq!(
        answer.json()["errors"],
        json!([{"message": format!("Blocked by {CHARGED_OUT}"), "code": "USER_IS_BLOCKED_AUTOMATICALLY",
            "parameters": [], "overridableBlock": {"name": "patronBlock",
                "missingPermissions": ["circulation.override-patron-block.post"]}}])
    );
    library.check_in("i-1", json!({})).await.expect(200);
    assert_eq!(blocks(&library, &patron).await, json!([]));
}

#[tokio::test]
async fn overdue_items_block_after_their_time() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, OVERDUE, json!(0)).await;
    library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    assert_eq!(blocks(&library, &patron).await, json!([]));
    library.library.clock.advance(SignedDuration::from_hours(24 * 30));
    assert_eq!(blocks(&library, &patron).await[0]["patronBlockConditionId"], OVERDUE);
}

/// The conditions that block a patron now, with what they block.
async fn blocked(library: &LendingLibrary, patron: &str) -> Vec<(String, [bool; 3])> {
    let blocks = blocks(library, patron).await;
    let flag = |block: &Value, member: &str| block[member] == json!(true);
    let read = |block: &Value| {
        let condition = block["patronBlockConditionId"].as_str().expect("an id");
        let flags = ["blockBorrowing", "blockRenewals", "blockRequests"];
        (condition.to_owned(), flags.map(|member| flag(block, member)))
    };
    let blocks = blocks.as_array().expect("a list").iter();
    blocks.map(read).collect()
}

/// Checks out a new item to `p-1`; returns the loan's id.
async fn check_out_new(library: &LendingLibrary, item: &str) -> String {
    library.item(item, json!({})).await;
    let loan = library.check_out(item, "p-1", json!({})).await.expect(201);
    id(&loan.json())
}

/// Changes members of the loan.
async fn change_loan(library: &LendingLibrary, loan: &str, members: Value) {
    let mut record = library.stored("/loan-storage/loans", loan).await;
    for (member, value) in members.as_object().expect("members") {
        record[member] = value.clone();
    }
    let path = format!("/loan-storage/loans/{loan}");
    library.desk.put(&path, &record).await.expect(204);
}

/// An instant this many hours ago, as stored.
fn ago(library: &LendingLibrary, hours: i64) -> String {
    let then = library.library.clock.now() - SignedDuration::from_hours(hours);
    store::record::print_instant(then)
}

/// Loans of lost items stay open until they are paid.
async fn lost_items_cost(library: &LendingLibrary) {
    library.owner("Desk").await;
    let costs = json!({"name": "Lost", "chargeAmountItem": {"chargeType": "anotherCost", "amount": 1}});
    let policy = format!("/lost-item-fees-policies/{}", library.lost_policy);
    library.desk.put(&policy, &costs).await.expect(204);
}

#[tokio::test]
async fn lost_items_block_above_the_limit() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, LOST, json!(1)).await;
    lost_items_cost(&library).await;
    for (item, expected) in [("i-1", vec![]), ("i-2", vec![(LOST.to_owned(), [true, true, false])])] {
        let loan = check_out_new(&library, item).await;
        let path = format!("/circulation/loans/{loan}/declare-item-lost");
        let body = json!({"servicePointId": library.service_point});
        library.desk.post(&path, &body).await.expect(204);
        assert_eq!(blocked(&library, &patron).await, expected, "{item}");
    }
    library.check_in("i-2", json!({})).await.expect(200);
    assert_eq!(blocked(&library, &patron).await, []);
}

#[tokio::test]
async fn overdue_recalls_block_by_their_number_and_by_their_days() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, OVERDUE_RECALLS, json!(0)).await;
    limit(&library, RECALL_DAYS, json!(3)).await;
    let [plain, recalled] = [check_out_new(&library, "i-1").await, check_out_new(&library, "i-2").await];
    change_loan(&library, &plain, json!({"dueDate": ago(&library, 24 * 30)})).await;
    assert_eq!(blocked(&library, &patron).await, [], "it is not recalled");
    let both = [true, true, false];
    let (number, days) = ((OVERDUE_RECALLS.to_owned(), both), (RECALL_DAYS.to_owned(), both));
    for (hours, expected) in
        [(-1, vec![]), (1, vec![number.clone()]), (71, vec![number.clone()]), (73, vec![number, days])]
    {
        let due = json!({"dueDateChangedByRecall": true, "dueDate": ago(&library, hours)});
        change_loan(&library, &recalled, due).await;
        assert_eq!(blocked(&library, &patron).await, expected, "{hours} hours");
    }
}

#[tokio::test]
async fn a_condition_blocks_only_the_selected_actions() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, OVERDUE, json!(0)).await;
    limit(&library, CHARGED_OUT, json!(1)).await;
    let loan = check_out_new(&library, "i-1").await;
    change_loan(&library, &loan, json!({"dueDate": ago(&library, 1)})).await;
    // One item on loan is at the limit and blocks borrowing only; one overdue item is above the limit and blocks
    // everything.
    for (flags, overdue, charged_out) in [
        ([true, true, true], Some([true, true, true]), Some([true, false, false])),
        ([false, true, true], Some([false, true, true]), None),
        ([true, false, false], Some([true, false, false]), Some([true, false, false])),
        ([false, false, true], Some([false, false, true]), None),
        ([false, false, false], None, None),
    ] {
        for condition in [OVERDUE, CHARGED_OUT] {
            blocking(&library, condition, flags).await;
        }
        let expected = [(OVERDUE, overdue), (CHARGED_OUT, charged_out)];
        let expected: Vec<_> =
            expected.into_iter().filter_map(|(condition, flags)| Some((condition.to_owned(), flags?))).collect();
        assert_eq!(blocked(&library, &patron).await, expected, "{flags:?}");
    }
}

#[tokio::test]
async fn debts_block_above_the_limit_but_not_those_of_claimed_items() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, BALANCE, json!(9.5)).await;
    let loan = check_out_new(&library, "i-1").await;
    let fine = "9523cb96-e752-40c2-89da-60f3961a488d";
    let owe = async |amount: f64, loan: Option<&str>| {
        let mut account = json!({"amount": amount, "remaining": amount, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "userId": patron, "feeFineId": fine,
            "ownerId": "00000000-0000-4000-8000-000000000001", "id": uuid::Uuid::new_v4()});
        if let Some(loan) = loan {
            account["loanId"] = loan.into();
        }
        library.desk.create("/accounts", &account).await;
    };
    let in_debt = [(BALANCE.to_owned(), [true, true, false])];
    owe(9.5, Some(&loan)).await;
    assert_eq!(blocked(&library, &patron).await, [], "at the limit");
    owe(0.5, None).await;
    assert_eq!(blocked(&library, &patron).await, in_debt);
    let summary = format!("/user-summary/{patron}");
    let summary = library.desk.get(&summary).await.expect(200).json();
    assert_eq!(summary["openFeesFines"][0]["feeFineTypeId"], fine);

    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z"});
    let path = format!("/circulation/loans/{loan}/claim-item-returned");
    library.desk.post(&path, &claim).await.expect(204);
    assert_eq!(blocked(&library, &patron).await, [], "only a half counts");
    owe(9.25, None).await;
    assert_eq!(blocked(&library, &patron).await, in_debt, "without a loan");
}

/// Each condition with each action, as in FOLIO's own suite: at the desk, a librarian without the override permission
/// gets a refusal that names it.
#[tokio::test]
async fn every_automated_block_names_the_missing_override_permission() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    lost_items_cost(&library).await;
    let [late, lost] = [check_out_new(&library, "late").await, check_out_new(&library, "lost").await];
    let due = json!({"dueDateChangedByRecall": true, "dueDate": ago(&library, 240)});
    change_loan(&library, &late, due).await;
    let path = format!("/circulation/loans/{lost}/declare-item-lost");
    let body = json!({"servicePointId": library.service_point});
    library.desk.post(&path, &body).await.expect(204);
    let free = library.item("free", json!({})).await;
    let renewal = json!({"itemBarcode": "late", "userBarcode": "p-1",
        "servicePointId": library.service_point});
    let page = json!({"requestType": "Page", "requestLevel": "Item", "itemId": free, "requesterId": patron,
        "instanceId": library.instance, "holdingsRecordId": library.holdings,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": library.service_point,
        "requestDate": "2026-11-22T10:00:00Z"});
    for (condition, value) in
        [(CHARGED_OUT, 1), (LOST, 0), (OVERDUE, 0), (OVERDUE_RECALLS, 0), (RECALL_DAYS, 3), (BALANCE, 0)]
    {
        limit(&library, condition, json!(value)).await;
        let expected = json!({"message": format!("Blocked by {condition}"), "parameters": [],
            "code": "USER_IS_BLOCKED_AUTOMATICALLY", "overridableBlock": {"name": "patronBlock",
                "missingPermissions": ["circulation.override-patron-block.post"]}});
        for action in 0..3 {
            let mut flags = [false; 3];
            flags[action] = true;
            blocking(&library, condition, flags).await;
            let blocked = blocked(&library, &patron).await;
            assert_eq!(blocked, [(condition.to_owned(), flags)]);
            let refused = match action {
                0 => library.check_out("free", "p-1", json!({})).await,
                1 => library.desk.post("/circulation/renew-by-barcode", &renewal).await,
                _ => library.desk.post("/circulation/requests", &page).await,
            };
            let refused = refused.expect(422).json();
            let errors = refused["errors"].as_array().expect("errors");
            assert!(errors.contains(&expected), "{condition} {flags:?}: {refused}");
        }
        blocking(&library, condition, [false; 3]).await;
    }
}

#[tokio::test]
async fn unknown_patrons_have_no_blocks_and_no_summary() {
    let library = LendingLibrary::new().await;
    let stranger = "00000000-0000-4000-8000-000000000000";
    assert_eq!(blocks(&library, stranger).await, json!([]));
    let answer = library.desk.get("/automated-patron-blocks/x").await.expect(400);
    assert_eq!(answer.text, "Invalid user UUID: \"x\"");
    let answer = library.desk.get(&format!("/user-summary/{stranger}")).await.expect(404);
    assert_eq!(answer.text, format!("User summary for user ID {stranger} not found"));
    for no_id in ["x", "00000000-0000-4000-8000-00000000000g"] {
        let answer = library.desk.get(&format!("/user-summary/{no_id}")).await;
        let expected = answer.expect(400).text;
        assert_eq!(expected, format!("Invalid user ID: \"{no_id}\""));
    }
}

#[tokio::test]
async fn a_patron_without_loans_and_debts_has_no_blocks_and_no_summary() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, CHARGED_OUT, json!(0)).await;
    let path = format!("/user-summary/{patron}");
    let borrowing = [(CHARGED_OUT.to_owned(), [true, false, false])];
    let nothing = async || {
        assert_eq!(blocked(&library, &patron).await, []);
        library.desk.get(&path).await.expect(404);
    };
    nothing().await;
    let loan = check_out_new(&library, "i-1").await;
    let above = [(CHARGED_OUT.to_owned(), [true, true, false])];
    assert_eq!(blocked(&library, &patron).await, above);
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z"});
    let claims = format!("/circulation/loans/{loan}/claim-item-returned");
    library.desk.post(&claims, &claim).await.expect(204);
    assert_eq!(blocked(&library, &patron).await, borrowing);
    let found = json!({"claimedReturnedResolution": "Found by library"});
    library.check_in("i-1", found).await.expect(200);
    nothing().await;

    let (_, fee) = library.damage(&patron, 2.5, json!({})).await;
    assert_eq!(blocked(&library, &patron).await, borrowing);
    let waived = json!({"amount": "2.5", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Desk", "paymentMethod": "Forgiven"});
    let waive = format!("/accounts/{fee}/waive");
    library.desk.post(&waive, &waived).await.expect(201);
    nothing().await;
}

#[tokio::test]
async fn blocks_and_loans_cost_the_same_with_a_long_past() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, CHARGED_OUT, json!(5)).await;
    let item = library.item("i-1", json!({})).await;
    let tenant = library.library.app.tenant(library.library.tenant).expect("a tenant");
    let session = library.library.app.session(&tenant).expect("a session");
    let past = "SELECT add_loans(array_agg(jsonb_build_object('id', n.id, 'userId', $1::text,
        'itemId', $2::text, 'status', jsonb_build_object('name', 'Closed'), 'loanDate', '2020-01-01T00:00:00Z',
        'action', 'checkedin'))) FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 2000)) n";
    session.execute(past, &[&patron, &item]).await.expect("a long past");
    let answer = library.desk.get(&format!("/automated-patron-blocks/{patron}")).await.expect(200);
    assert!(answer.round_trips() <= 2);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let counted = session.get("SELECT open_loans FROM patron_counters", &[]).await.expect("a row");
    assert_eq!(counted.get::<_, i32>(0), 1, "past loans do not count");
}
