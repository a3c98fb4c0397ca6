//! `/automated-patron-blocks` and `/user-summary`.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::LendingLibrary;

const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";
const OVERDUE: &str = "584fbd4f-6a34-4730-a6ca-73a6a6a9d845";
const BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/// The condition blocks borrowing from this number on.
async fn limit(library: &LendingLibrary, condition: &str, value: Value) {
    let blocks = json!({"id": condition, "name": condition, "blockBorrowing": true, "blockRenewals": true,
        "blockRequests": false, "valueType": "Integer", "message": format!("Blocked by {condition}")});
    let tenant = library
        .library
        .app
        .tenant(library.library.tenant)
        .expect("a tenant");
    let session = library.library.app.session(&tenant).expect("a session");
    let sql = "INSERT INTO patron_block_conditions (id, doc) VALUES (($1::jsonb->>'id')::uuid, $1)
        ON CONFLICT (id) DO UPDATE SET doc = excluded.doc";
    session.execute(sql, &[&blocks]).await.expect("a condition");
    let limit = json!({"patronGroupId": library.group, "conditionId": condition, "value": value});
    library.desk.create("/patron-block-limits", &limit).await;
}

async fn blocks(library: &LendingLibrary, patron: &str) -> Value {
    let answer = library
        .desk
        .get(&format!("/automated-patron-blocks/{patron}"))
        .await
        .expect(200);
    answer.json()["automatedPatronBlocks"].clone()
}

#[tokio::test]
async fn items_charged_out_block_borrowing_at_the_limit_and_the_rest_above() {
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
async fn overdue_items_block_when_their_time_has_come() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, OVERDUE, json!(0)).await;
    library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    assert_eq!(blocks(&library, &patron).await, json!([]));
    library
        .library
        .clock
        .advance(SignedDuration::from_hours(24 * 30));
    assert_eq!(
        blocks(&library, &patron).await[0]["patronBlockConditionId"],
        OVERDUE
    );
}

#[tokio::test]
async fn debts_block_above_the_limit_but_not_those_of_claimed_items() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, BALANCE, json!(9.5)).await;
    let account = json!({"amount": 10, "remaining": 10, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "userId": patron,
        "feeFineId": "9523cb96-e752-40c2-89da-60f3961a488d",
        "ownerId": "00000000-0000-4000-8000-000000000001"});
    library.desk.create("/accounts", &account).await;
    assert_eq!(
        blocks(&library, &patron).await[0]["patronBlockConditionId"],
        BALANCE
    );
    let summary = library
        .desk
        .get(&format!("/user-summary/{patron}"))
        .await
        .expect(200)
        .json();
    assert_eq!(summary["openLoans"], json!([]));
    assert_eq!(
        summary["openFeesFines"][0]["feeFineTypeId"],
        "9523cb96-e752-40c2-89da-60f3961a488d"
    );
}

#[tokio::test]
async fn strangers_have_no_blocks_and_no_summary() {
    let library = LendingLibrary::new().await;
    let stranger = "00000000-0000-4000-8000-000000000000";
    assert_eq!(blocks(&library, stranger).await, json!([]));
    let answer = library
        .desk
        .get("/automated-patron-blocks/x")
        .await
        .expect(400);
    assert_eq!(answer.text, "Invalid user UUID: \"x\"");
    let answer = library
        .desk
        .get(&format!("/user-summary/{stranger}"))
        .await
        .expect(404);
    assert_eq!(
        answer.text,
        format!("User summary for user ID {stranger} not found")
    );
}

#[tokio::test]
async fn blocks_and_loans_cost_the_same_with_a_long_past() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    limit(&library, CHARGED_OUT, json!(5)).await;
    let item = library.item("i-1", json!({})).await;
    let tenant = library
        .library
        .app
        .tenant(library.library.tenant)
        .expect("a tenant");
    let session = library.library.app.session(&tenant).expect("a session");
    let past = "INSERT INTO loan (id, doc) SELECT n.id, jsonb_build_object('id', n.id, 'userId', $1::text,
        'itemId', $2::text, 'status', jsonb_build_object('name', 'Closed'), 'loanDate', '2020-01-01T00:00:00Z',
        'action', 'checkedin') FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 2000)) n";
    session
        .execute(past, &[&patron, &item])
        .await
        .expect("a long past");
    let answer = library
        .desk
        .get(&format!("/automated-patron-blocks/{patron}"))
        .await
        .expect(200);
    assert!(answer.round_trips() <= 2);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let counted = session
        .get("SELECT open_loans FROM patron_counters", &[])
        .await
        .expect("a row");
    assert_eq!(counted.get::<_, i32>(0), 1, "past loans do not count");
}
