//! Items that are lost, and those that return after all.

use serde_json::{Value, json};
use testkit::Answer;
use uuid::Uuid;

use super::{LendingLibrary, id};

/// A loan of `i-1` to `p-1`: item, patron, loan.
async fn on_loan(library: &LendingLibrary) -> (String, String, String) {
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    (item, patron, id(&loan.json()))
}

pub(super) async fn act(library: &LendingLibrary, loan: &str, action: &str, body: Value) -> Answer {
    let path = format!("/circulation/loans/{loan}/{action}");
    library.desk.post(&path, &body).await
}

async fn declare_lost(library: &LendingLibrary, loan: &str) -> Answer {
    let body = json!({"servicePointId": library.service_point, "comment": "gone",
        "declaredLostDateTime": "2026-11-20T10:00:00Z"});
    act(library, loan, "declare-item-lost", body).await
}

pub(super) async fn change_lost_policy(library: &LendingLibrary, members: Value) {
    let mut policy = json!({"name": "Lost"});
    for (member, value) in members.as_object().expect("members") {
        policy[member] = value.clone();
    }
    let path = format!("/lost-item-fees-policies/{}", library.lost_policy);
    library.desk.put(&path, &policy).await.expect(204);
}

fn set_cost() -> Value {
    json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}})
}

fn uuid(id: &str) -> Uuid {
    Uuid::parse_str(id).expect("an id")
}

async fn item_status(library: &LendingLibrary, item: &str) -> Value {
    library.stored("/item-storage/items", item).await["status"]["name"].clone()
}

/// The actions in the loan's history, oldest first.
async fn history(library: &LendingLibrary, loan: &str) -> Vec<String> {
    let cql = format!("loan.id=={loan}");
    let list = library.desk.query("/loan-storage/loan-history?limit=100", &cql).await;
    let list = list.expect(200).json();
    let entries = list["loansHistory"].as_array().expect("a list");
    let mut actions: Vec<String> =
        entries.iter().map(|entry| entry["loan"]["action"].as_str().unwrap_or_default().to_owned()).collect();
    actions.reverse();
    actions
}

/// What counts towards the patron's blocks: for each open loan, whether its item is lost and claimed returned.
async fn counted(library: &LendingLibrary, patron: &str) -> Vec<(bool, bool)> {
    let path = format!("/user-summary/{patron}");
    let answer = library.desk.get(&path).await;
    if answer.status == 404 {
        return Vec::new();
    }
    let summary = answer.expect(200).json();
    let loans = summary["openLoans"].as_array().expect("a list");
    let flag = |loan: &Value, member: &str| loan[member] == json!(true);
    loans.iter().map(|loan| (flag(loan, "itemLost"), flag(loan, "itemClaimedReturned"))).collect()
}

#[tokio::test]
async fn a_lost_item_without_fees_closes_its_loan() {
    let library = LendingLibrary::new().await;
    let (item, patron, loan) = on_loan(&library).await;
    let answer = declare_lost(&library, &loan).await.expect(204);
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(item_status(&library, &item).await, "Lost and paid");
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(stored["status"]["name"], "Closed");
    assert_eq!(stored["action"], "closedLoan");
    assert_eq!(stored["itemStatus"], "Lost and paid");
    assert_eq!(stored["declaredLostDate"], "2026-11-20T10:00:00.000+00:00");
    assert_eq!(stored["metadata"]["updatedByUserId"], *library.librarian);
    assert_eq!(history(&library, &loan).await, ["checkedout", "declaredLost", "closedLoan"]);
    assert_eq!(counted(&library, &patron).await, []);
    let again = declare_lost(&library, &loan).await.expect(422);
    assert_eq!(again.error_messages(), ["Loan is closed"]);
    let unknown = "00000000-0000-4000-8000-000000000000";
    declare_lost(&library, unknown).await.expect(404);
}

#[tokio::test]
async fn a_lost_item_with_fees_needs_an_owner_and_stays_on_loan() {
    let library = LendingLibrary::new().await;
    let (item, patron, loan) = on_loan(&library).await;
    change_lost_policy(&library, set_cost()).await;
    let refused = declare_lost(&library, &loan).await.expect(422);
    let error = &refused.json()["errors"][0];
    assert_eq!(error["message"], "No fee/fine owner found for item's permanent location");
    assert_eq!(error["parameters"], json!([{"key": "locationId", "value": library.location}]));
    library.owner("Main library").await;
    declare_lost(&library, &loan).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Declared lost");
    assert_eq!(counted(&library, &patron).await, [(true, false)]);
    let again = declare_lost(&library, &loan).await.expect(422);
    assert_eq!(again.error_messages(), ["The item is already declared lost"]);

    let returned = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(returned["loan"]["status"]["name"], "Closed");
    assert_eq!(item_status(&library, &item).await, "Available");
    assert_eq!(counted(&library, &patron).await, []);
}

#[tokio::test]
async fn a_claim_is_counted_and_ends_as_a_missing_item_with_a_note() {
    let library = LendingLibrary::new().await;
    let (item, patron, loan) = on_loan(&library).await;
    let action = "declare-claimed-returned-item-as-missing";
    let comment = json!({"comment": "not on the shelf"});
    let refused = act(&library, &loan, action, comment.clone()).await.expect(422);
    assert_eq!(refused.error_messages(), ["Item is not Claimed returned"]);

    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z", "comment": "put in the box"});
    let claimed = act(&library, &loan, "claim-item-returned", claim).await.expect(204);
    assert_eq!(claimed.round_trips(), 2);
    assert_eq!(item_status(&library, &item).await, "Claimed returned");
    assert_eq!(counted(&library, &patron).await, [(false, true)]);

    let missing = act(&library, &loan, action, comment).await.expect(204);
    assert_eq!(missing.round_trips(), 2);
    assert_eq!(item_status(&library, &item).await, "Missing");
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(stored["status"]["name"], "Closed");
    assert_eq!(stored["action"], "markedMissing");
    assert_eq!(stored["actionComment"], "not on the shelf");
    let notes = format!("/note-links/domain/users/type/user/id/{patron}");
    let notes = library.desk.get(&notes).await.expect(200).json();
    assert_eq!(notes["totalRecords"], 1);
    assert_eq!(notes["notes"][0]["title"], "Claimed returned item marked missing");
    assert_eq!(notes["notes"][0]["type"], "General note");
}

/// A loan that is overdue since the first of January.
pub(super) async fn overdue(library: &LendingLibrary) -> (String, String, String) {
    let on_loan = on_loan(library).await;
    let due = json!({"dueDate": "2026-01-01T00:00:00Z"});
    act(library, &on_loan.2, "change-due-date", due).await.expect(204);
    on_loan
}

pub(super) async fn run_job(library: &LendingLibrary) -> Answer {
    library.desk.post("/circulation/scheduled-age-to-lost", &json!({})).await
}

#[tokio::test]
async fn overdue_items_age_to_lost_by_their_policy() {
    let library = LendingLibrary::new().await;
    let (item, patron, loan) = overdue(&library).await;
    run_job(&library).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Checked out", "the policy does not say when");
    let days = |n: i64| json!({"duration": n, "intervalId": "Days"});
    change_lost_policy(&library, json!({"itemAgedLostOverdue": days(100_000)})).await;
    run_job(&library).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Checked out", "too early");
    change_lost_policy(&library, json!({"itemAgedLostOverdue": days(1), "patronBilledAfterAgedLost": days(2)})).await;
    let ran = run_job(&library).await.expect(204);
    assert_eq!(ran.round_trips(), 1);
    assert_eq!(item_status(&library, &item).await, "Aged to lost");
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(stored["action"], "itemAgedToLost");
    assert_eq!(stored["itemStatus"], "Aged to lost");
    assert_eq!(stored["status"]["name"], "Open");
    let billing = &stored["agedToLostDelayedBilling"];
    assert_eq!(billing["lostItemHasBeenBilled"], false);
    let date = |member: &str| {
        let text = billing[member].as_str().expect("a date");
        text.parse::<jiff::Timestamp>().expect("a date")
    };
    let (aged, billed) = (date("agedToLostDate"), date("dateLostItemShouldBeBilled"));
    assert_eq!(billed.duration_since(aged).as_hours(), 48);
    assert_eq!(counted(&library, &patron).await, [(true, false)]);
    run_job(&library).await.expect(204);
    assert_eq!(
        history(&library, &loan).await,
        ["checkedout", "checkedout", "itemAgedToLost"],
        "a second run changes nothing"
    );
}

#[tokio::test]
async fn recalled_and_claimed_items_age_by_their_own_terms() {
    let library = LendingLibrary::new().await;
    let (item, _, loan) = overdue(&library).await;
    let day = json!({"duration": 1, "intervalId": "Days"});
    change_lost_policy(&library, json!({"recalledItemAgedLostOverdue": day})).await;
    run_job(&library).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Checked out", "it is not recalled");
    let mut stored = library.stored("/loan-storage/loans", &loan).await;
    stored["dueDateChangedByRecall"] = true.into();
    let path = format!("/loan-storage/loans/{loan}");
    library.desk.put(&path, &stored).await.expect(204);
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z"});
    act(&library, &loan, "claim-item-returned", claim).await.expect(204);
    run_job(&library).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Claimed returned");
    stored["itemStatus"] = "Checked out".into();
    library.desk.put(&path, &stored).await.expect(204);
    run_job(&library).await.expect(204);
    assert_eq!(item_status(&library, &item).await, "Aged to lost");
}

#[tokio::test]
async fn many_items_age_in_few_statements() {
    const MANY: i32 = 2_500;
    let library = LendingLibrary::new().await;
    let (item, _, loan) = overdue(&library).await;
    let day = json!({"duration": 1, "intervalId": "Days"});
    change_lost_policy(&library, json!({"itemAgedLostOverdue": day})).await;
    let session = library.session();
    let copies = "WITH made AS MATERIALIZED (
        SELECT n.id, (i.doc - 'barcode') || jsonb_build_object('id', n.id, 'hrid', 'copy' || n.number) AS doc, i.state
        FROM item_record i, (SELECT gen_random_uuid() AS id, number FROM generate_series(1, $2) AS number) n
        WHERE i.id = $1),
        copy AS (INSERT INTO item (id, doc) SELECT id, doc FROM made)
        INSERT INTO item_state (id, state) SELECT id, state FROM made";
    let (item, loan) = (uuid(&item), uuid(&loan));
    let made = session.execute(copies, &[&item, &MANY]).await;
    assert_eq!(made.expect("copies"), u64::from(MANY.unsigned_abs()));
    let lent = "SELECT add_loans(array_agg(l.doc || jsonb_build_object('id', c.id, 'itemId', c.id)))
        FROM loan l, item c WHERE l.id = $1 AND c.id <> l.itemid";
    session.execute(lent, &[&loan]).await.expect("loans");

    let ran = run_job(&library).await.expect(204);
    assert_eq!(ran.round_trips(), 26, "a hundred at a time");
    let left = "SELECT count(*) FILTER (WHERE l.doc->>'action' <> 'itemAgedToLost'
        OR i.state#>>'{status,name}' <> 'Aged to lost') FROM loan l JOIN item_record i ON i.id = l.open_item";
    let left = session.get(left, &[]).await.expect("a row");
    assert_eq!(left.get::<_, i64>(0), 0);
    let counted = session.get("SELECT lost_items FROM patron_counters", &[]).await;
    assert_eq!(counted.expect("a row").get::<_, i32>(0), 2_501);
}
