//! The content of events (docs/folio/events.md, docs/folio/desk-records.md#events,
//! docs/folio/fees-fines.md#events-of-fees).

mod log;

use serde_json::{Value, json};
use testkit::{Hook, Sent};

use super::{
    LendingLibrary, id,
    webhooks::{library, listen},
};

/// A loan of `i-1` to `p-1`: item, patron, loan.
async fn on_loan(library: &LendingLibrary) -> (String, String, Value) {
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    (item, patron, loan.json())
}

async fn act(library: &LendingLibrary, loan: &Value, action: &str, body: Value) {
    let path = format!("/circulation/loans/{}/{action}", id(loan));
    library.desk.post(&path, &body).await.expect(204);
}

/// The next events by type, each of a different type.
async fn next(hook: &mut Hook, count: usize) -> std::collections::HashMap<String, Value> {
    let mut events = std::collections::HashMap::new();
    for _ in 0..count {
        let Sent { body, .. } = {
            let sent = hook.next().await;
            events.insert(sent.topic().to_owned(), sent.body.clone());
            sent
        };
        assert!(body.is_object());
    }
    events
}

fn instant(text: &Value) -> jiff::Timestamp {
    let text = text.as_str().expect("an instant");
    assert!(text.ends_with('Z'), "{text}");
    text.parse().expect("an instant")
}

const BUSINESS: &[&str] = &[
    "ITEM_CHECKED_OUT",
    "ITEM_CHECKED_IN",
    "ITEM_DECLARED_LOST",
    "ITEM_AGED_TO_LOST",
    "ITEM_CLAIMED_RETURNED",
    "LOAN_DUE_DATE_CHANGED",
    "LOAN_CLOSED",
];

#[tokio::test]
async fn loan_events_are_those_of_mod_circulation() {
    let library = library().await;
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut policy_record = library.desk.get(&policy).await.expect(200).json();
    let grace = json!({"duration": 2, "intervalId": "Days"});
    policy_record["loansPolicy"]["gracePeriod"] = grace.clone();
    library.desk.put(&policy, &policy_record).await.expect(204);
    let mut hook = listen(&library, BUSINESS).await;
    let (_, patron, loan) = on_loan(&library).await;
    let due = hook.next().await;
    assert_eq!(due.topic(), "ITEM_CHECKED_OUT");
    instant(&due.body["dueDate"]);
    let expected =
        json!({"userId": patron, "loanId": loan["id"], "dueDate": due.body["dueDate"], "gracePeriod": grace});
    assert_eq!(due.body, expected);

    act(&library, &loan, "change-due-date", json!({"dueDate": "2027-03-01T10:00:00.000+01:00"})).await;
    let changed = hook.next().await;
    assert_eq!(changed.topic(), "LOAN_DUE_DATE_CHANGED");
    assert_eq!(
        changed.body,
        json!({"userId": patron, "loanId": loan["id"], "dueDate": "2027-03-01T09:00:00.000Z",
        "dueDateChangedByRecall": false})
    );

    act(&library, &loan, "claim-item-returned", json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z"})).await;
    let both = json!({"userId": patron, "loanId": loan["id"]});
    let claimed = hook.next().await;
    assert_eq!((claimed.topic(), &claimed.body), ("ITEM_CLAIMED_RETURNED", &both));

    let resolution =
        json!({"claimedReturnedResolution": "Returned by patron", "checkInDate": "2026-11-21T12:00:00.000Z"});
    library.check_in("i-1", resolution).await.expect(200);
    let returned = hook.next().await;
    assert_eq!(returned.topic(), "ITEM_CHECKED_IN");
    assert_eq!(
        returned.body,
        json!({"userId": patron, "loanId": loan["id"], "returnDate": "2026-11-21T12:00:00.000Z"})
    );
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn lost_items_and_closed_loans_have_events() {
    let library = library().await;
    let mut hook = listen(&library, BUSINESS).await;
    let (_, patron, loan) = on_loan(&library).await;
    hook.next().await;
    // A policy without fees closes the loan at once, without another event.
    act(&library, &loan, "declare-item-lost", json!({"servicePointId": library.service_point})).await;
    let both = json!({"userId": patron, "loanId": loan["id"]});
    let event = hook.next().await;
    assert_eq!((event.topic(), &event.body), ("LOAN_CLOSED", &both));
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn fee_events_are_those_of_mod_feesfines() {
    let library = library().await;
    let mut hook = listen(&library, &["FEE_FINE_BALANCE_CHANGED", "LOAN_RELATED_FEE_FINE_CLOSED"]).await;
    let (_, patron, loan) = on_loan(&library).await;
    let about = json!({"loanId": loan["id"]});
    let (kind, account) = library.damage(&patron, 10.5, about).await;
    let mut expected = json!({"userId": patron, "feeFineId": account, "feeFineTypeId": kind, "balance": 10.5,
        "loanId": loan["id"]});
    assert_eq!(hook.next().await.body, expected);

    let payment = json!({"amount": "10.5", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Desk", "paymentMethod": "Cash"});
    library.desk.post(&format!("/accounts/{account}/pay"), &payment).await.expect(201);
    expected["balance"] = json!(0.0);
    let events = next(&mut hook, 2).await;
    assert_eq!(events["FEE_FINE_BALANCE_CHANGED"]["balance"].as_f64(), Some(0.0));
    assert_eq!(events["LOAN_RELATED_FEE_FINE_CLOSED"], json!({"loanId": loan["id"]}));

    library.desk.delete(&format!("/accounts/{account}")).await.expect(204);
    let gone = hook.next().await;
    assert_eq!(gone.body["feeFineId"], account.as_str());
    assert_eq!(gone.body["balance"].as_f64(), Some(0.0));
}

#[tokio::test]
async fn events_of_changes_have_old_and_new_records() {
    let library = library().await;
    let mut hook = listen(&library, &["circulation.loan"]).await;
    let (_, _, loan) = on_loan(&library).await;
    let created = hook.next().await;
    assert_eq!((&created.body["type"], &created.body["tenant"]), (&json!("CREATED"), &json!("test")));
    assert!(created.body["timestamp"].is_i64());
    assert!(created.body["id"].is_string());
    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(created.body["data"], json!({"new": stored}));

    library.check_in("i-1", json!({})).await.expect(200);
    let updated = hook.next().await.body;
    assert_eq!(updated["type"], "UPDATED");
    assert_eq!(updated["data"]["old"], stored);
    assert_eq!(updated["data"]["new"]["action"], "checkedin");

    library.desk.delete(&format!("/loan-storage/loans/{}", id(&loan))).await.expect(204);
    let deleted = hook.next().await.body;
    assert_eq!((&deleted["type"], deleted["data"].get("new")), (&json!("DELETED"), None));
    assert_eq!(deleted["data"]["old"]["id"], loan["id"]);
}

#[tokio::test]
async fn every_topic_of_the_contract_has_events() {
    let library = library().await;
    let topics = [
        "circulation.check-in",
        "circulation.rules",
        "circulation.circulation-settings",
        "inventory.item",
        "inventory.holdings-record",
        "inventory.instance",
        "users.users",
    ];
    let mut hook = listen(&library, &topics).await;
    on_loan(&library).await;
    let checked_out = next(&mut hook, 3).await;
    let item = &checked_out["inventory.item"];
    assert!(item["eventId"].is_string() && item["eventTs"].is_i64());
    assert_eq!(checked_out["users.users"]["data"]["new"]["barcode"], "p-1");
    library.check_in("i-1", json!({})).await.expect(200);
    let returned = next(&mut hook, 2).await;
    assert_eq!(returned["inventory.item"]["type"], "UPDATE");
    assert_eq!(returned["inventory.item"]["old"]["status"]["name"], "Checked out");
    assert_eq!(returned["inventory.item"]["new"]["status"]["name"], "Available");
    let check_in = &returned["circulation.check-in"]["data"]["new"];
    assert_eq!(check_in["itemStatusPriorToCheckIn"], "Checked out");

    library.write_rules(&library.rules()).await.expect(204);
    assert_eq!(hook.next().await.topic(), "circulation.rules");
    let setting = json!({"name": "TLR", "value": {"titleLevelRequestsFeatureEnabled": true}});
    library.desk.post("/circulation/settings", &setting).await.expect(201);
    let event = hook.next().await;
    assert_eq!(event.topic(), "circulation.circulation-settings");
    assert_eq!(event.body["data"]["new"]["name"], "TLR");
}

#[tokio::test]
async fn deleting_all_loans_or_requests_is_one_event() {
    let library = library().await;
    let (_, patron, _) = on_loan(&library).await;
    library.item("i-2", json!({})).await;
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    for (path, topic) in
        [("/loan-storage/loans", "circulation.loan"), ("/request-storage/requests", "circulation.request")]
    {
        let mut hook = listen(&library, &[topic]).await;
        let all = format!("{path}?query=cql.allRecords=1");
        library.desk.delete(&all).await.expect(204);
        let event = hook.next().await.body;
        assert_eq!(event["type"], "ALL_DELETED", "{path}");
        assert_eq!(event["data"], json!({}), "{path}");
        let left = library.desk.get(path).await.expect(200).json();
        assert_eq!(left["totalRecords"], 0, "{path}");
    }
    // Counters of deleted loans are zero; the history stays.
    let summary = format!("/user-summary/{patron}");
    library.desk.get(&summary).await.expect(404);
    let past = library.desk.get("/loan-storage/loan-history").await;
    assert_eq!(past.expect(200).json()["totalRecords"], 2);
}

#[tokio::test]
async fn requests_and_their_queue_have_events() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let mut hook = listen(&library, &["circulation.request", "circulation.request-queue-reordering"]).await;
    let mut queue = Vec::new();
    for (position, barcode) in [(1, "p-2"), (2, "p-3")] {
        let patron = library.patron(barcode, json!({})).await;
        queue.push(library.hold(&item, &patron, position, json!({})).await);
        let created = hook.next().await;
        assert_eq!((created.topic(), &created.body["type"]), ("circulation.request", &json!("CREATED")));
    }
    let order = json!({"reorderedQueue": [{"id": queue[0], "newPosition": 2}, {"id": queue[1], "newPosition": 1}]});
    let path = format!("/circulation/requests/queue/item/{item}/reorder");
    library.desk.post(&path, &order).await.expect(200);
    let mut reordered = None;
    for _ in 0..3 {
        let event = hook.next().await;
        if event.topic() == "circulation.request-queue-reordering" {
            reordered = Some(event.body);
        }
    }
    let reordered = reordered.expect("the queue");
    assert_eq!(reordered["type"], "CREATED");
    assert_eq!(
        reordered["data"]["new"],
        json!({"instanceId": library.instance, "itemId": item,
        "requestLevel": "Item", "requestIds": [queue[1], queue[0]]})
    );
}
